import type { CpuProfile } from "#core/api/clean-profile.ts";
import type { Capture, CaptureError } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { AdminTime } from "#site/admin/admin-time.tsx";
import type { FormValues, FormField } from "#site/ui/form.tsx";
import { Section } from "#site/ui/section.tsx";

import { formatBinaryBytes } from "./profiling-format.ts";

type CapturesTableProps = Pick<AdminPanelProps, "auth"> & {
  captures: readonly Capture[];
  onChange: () => Promise<void>;
};

const CAPTURES_ROUTE = "/api/admin/profiling/captures";

const CAPTURE_FIELDS: readonly FormField[] = [
  {
    name: "label",
    label: "Label",
    hint: "For the list and the audit log.",
    maxLength: FIXED_LIMITS.capture_label_max,
  },
  {
    name: "seconds",
    label: "Duration in seconds",
    kind: "number",
    initialValue: "10",
    hint: `${FIXED_LIMITS.capture_min_s} to ${FIXED_LIMITS.capture_max_s}.`,
  },
];

const CAPTURE_ERROR_TEXTS: Record<CaptureError, string> = {
  disk_full: "the disk is full",
  disk_failed: "the file could not be written",
  too_large: "it was too large: try a shorter one",
  profiler_failed: "the runtime returned no profile",
  server_stopped: "the server was stopped while recording",
  interrupted: "the server crashed while recording",
  file_lost: "its file is missing or was modified",
};

const COLUMNS: [TableColumn<Capture>, ...TableColumn<Capture>[]] = [
  { title: "Label", accessor: ({ label }) => label },
  {
    title: "Started",
    accessor: ({ started }) => started,
    kind: "instant",
  },
  {
    title: "Seconds",
    accessor: ({ started, endsAt }) => (Date.parse(endsAt) - Date.parse(started)) / 1000,
    kind: "number",
  },
  {
    title: "State",
    accessor: ({ state }) => state,
    render: (capture) => <CaptureState {...capture} />,
  },
  {
    title: "Size",
    accessor: ({ size_bytes }) => size_bytes,
    kind: "number",
    render: ({ size_bytes: size }) => (size === null ? "–" : formatBinaryBytes(size)),
  },
];

export function CapturesTable({ captures, auth, onChange }: CapturesTableProps) {
  const runningCapture = captures.find(({ state }) => state === "recording");
  return (
    <Section id="profiling-captures" title="Captures">
      <p class="sub">
        A capture is a CPU profile of the thread that serves matches and requests. Open it in your
        browser's developer tools or in an editor. The newest {FIXED_LIMITS.captures_kept} are kept.
      </p>
      <ActionBar>
        {runningCapture === undefined ? (
          <StartCapture auth={auth} onChange={onChange} />
        ) : (
          <p class="profiling-running" role="status">
            <bdi>{runningCapture.label}</bdi> is being recorded until{" "}
            <AdminTime instant={runningCapture.endsAt} precision="second" />.
          </p>
        )}
      </ActionBar>
      <AdminTable
        caption="Captures"
        rows={captures}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No captures yet."
        actions={(capture) =>
          capture.state === "ready" && <DownloadCapture capture={capture} auth={auth} />
        }
      />
    </Section>
  );
}

function CaptureState({ state, error }: Capture) {
  if (error === null) return <>{state}</>;
  return (
    <>
      {state}: {CAPTURE_ERROR_TEXTS[error]}
    </>
  );
}

function StartCapture({ auth, onChange }: Omit<CapturesTableProps, "captures">) {
  return (
    <ActionForm
      auth={auth}
      label="Record a capture"
      cancelLabel="Cancel"
      title="Record a capture"
      confirmLabel="Record"
      busyLabel="Starting…"
      fields={CAPTURE_FIELDS}
      requestFor={startCaptureRequest}
      doneMessage={(response) => `Recording ${(response as Capture).label}.`}
      onDone={onChange}
    >
      <p>Matches continue. When it starts, ticks and requests are delayed by about 100 ms.</p>
    </ActionForm>
  );
}

function startCaptureRequest({ label = "", seconds = "" }: FormValues) {
  const duration = Number(seconds);
  if (
    seconds === "" ||
    !(duration >= FIXED_LIMITS.capture_min_s && duration <= FIXED_LIMITS.capture_max_s)
  )
    return {
      field: "seconds",
      text: `Must be a number from ${FIXED_LIMITS.capture_min_s} to ${FIXED_LIMITS.capture_max_s}.`,
    };
  return {
    method: "POST",
    path: CAPTURES_ROUTE,
    body: { label, duration_seconds: duration },
  } as const;
}

function DownloadCapture({ capture, auth }: Pick<AdminPanelProps, "auth"> & { capture: Capture }) {
  const download = async () => {
    const response = await auth.sendRequest<CpuProfile>(
      "GET",
      `${CAPTURES_ROUTE}/${capture.id}/download`,
    );
    if ("refusal" in response) return auth.showStatusMessage(response.refusal.text);
    saveFile(`${capture.id}.cpuprofile`, JSON.stringify(response.value));
    auth.showStatusMessage(
      `Downloaded ${capture.label}, ${formatBinaryBytes(capture.size_bytes ?? 0)}.`,
    );
  };
  return (
    <button
      type="button"
      class="link-button"
      aria-label={`Download ${capture.label}`}
      onClick={() => void download()}
    >
      Download
    </button>
  );
}

/** A link can't send the access token, so the page makes the request and saves the response. */
function saveFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
