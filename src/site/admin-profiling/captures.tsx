import type { CpuProfile } from "#core/operator/clean-profile.ts";
import type { Capture, CaptureError } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import type { FormAnswers, FormQuestion } from "#site/look/form.tsx";
import { Section } from "#site/look/parts.tsx";

import { bytesWords } from "./words.ts";

type CapturesProps = Pick<PartProps, "desk"> & {
  captures: readonly Capture[];
  onChange: () => Promise<void>;
};

const ROUTE = "/api/admin/profiling/captures";

const QUESTIONS: readonly FormQuestion[] = [
  {
    name: "label",
    label: "What is it about?",
    hint: "For the list and the audit.",
    most: FIXED.capture_label_max,
  },
  {
    name: "seconds",
    label: "For how many seconds?",
    kind: "number",
    given: "10",
    hint: `From ${FIXED.capture_min_s} to ${FIXED.capture_max_s}.`,
  },
];

/** Why a capture failed, and what to do. */
const ERROR_WORDS: Record<CaptureError, string> = {
  disk_full: "the disk is full",
  disk_failed: "the file could not be written",
  too_large: "it was too large: try a shorter one",
  profiler_failed: "the runtime gave no profile",
  server_stopped: "the server was stopped meanwhile",
  interrupted: "the server ended meanwhile",
  file_lost: "its file is gone, or was changed",
};

const COLUMNS: [TableColumn<Capture>, ...TableColumn<Capture>[]] = [
  { title: "Label", of: ({ label }) => label },
  {
    title: "Started",
    of: ({ started }) => started,
    kind: "instant",
  },
  {
    title: "Seconds",
    of: ({ started, endsAt }) => (Date.parse(endsAt) - Date.parse(started)) / 1000,
    kind: "number",
  },
  { title: "State", of: ({ state }) => state, show: (capture) => <State {...capture} /> },
  {
    title: "Size",
    of: ({ size_bytes }) => size_bytes,
    kind: "number",
    show: ({ size_bytes: size }) => (size === null ? "–" : bytesWords(size)),
  },
];

/** Profiles of the thread that serves matches, and a new one. */
export function Captures({ captures, desk, onChange }: CapturesProps) {
  const running = captures.find(({ state }) => state === "recording");
  return (
    <Section id="profiling-captures" title="Captures">
      <p class="sub">
        A capture is a profile of the thread that serves matches and requests. Open its file in the
        developer tools of a browser, or in an editor. The newest {FIXED.captures_kept} are kept.
      </p>
      <Acts>
        {running === undefined ? (
          <Start desk={desk} onChange={onChange} />
        ) : (
          <p class="profiling-running" role="status">
            <bdi>{running.label}</bdi> is being recorded until{" "}
            <Moment at={running.endsAt} form="second" />.
          </p>
        )}
      </Acts>
      <Table
        caption="Captures"
        rows={captures}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="Nothing has been recorded yet."
        actions={(capture) =>
          capture.state === "ready" && <Download capture={capture} desk={desk} />
        }
      />
    </Section>
  );
}

function State({ state, error }: Capture) {
  if (error === null) return <>{state}</>;
  return (
    <>
      {state}: {ERROR_WORDS[error]}
    </>
  );
}

function Start({ desk, onChange }: Omit<CapturesProps, "captures">) {
  return (
    <Act
      desk={desk}
      ask="Record a capture"
      no="Cancel"
      title="Record a capture"
      yes="Record"
      waiting="Beginning…"
      questions={QUESTIONS}
      route={startRoute}
      done={(answer) => `${(answer as Capture).label} is being recorded.`}
      onDone={onChange}
    >
      <p>
        Matches go on meanwhile. As it begins, ticks and requests wait for about a tenth of a
        second.
      </p>
    </Act>
  );
}

function startRoute({ label = "", seconds = "" }: FormAnswers) {
  const duration = Number(seconds);
  if (seconds === "" || !(duration >= FIXED.capture_min_s && duration <= FIXED.capture_max_s))
    return {
      field: "seconds",
      text: `A number from ${FIXED.capture_min_s} to ${FIXED.capture_max_s}.`,
    };
  return { method: "POST", path: ROUTE, body: { label, duration_seconds: duration } } as const;
}

function Download({ capture, desk }: Pick<PartProps, "desk"> & { capture: Capture }) {
  const download = async () => {
    const answer = await desk.ask<CpuProfile>("GET", `${ROUTE}/${capture.id}/download`);
    if ("refusal" in answer) return desk.say(answer.refusal.text);
    save(`${capture.id}.cpuprofile`, JSON.stringify(answer.value));
    desk.say(`${capture.label} is downloaded, ${bytesWords(capture.size_bytes ?? 0)}.`);
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

/** A link cannot carry who asks, so the file is made of the answer. */
function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
