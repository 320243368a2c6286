import { useEffect, useState } from "preact/hooks";

import type { Preview, SettingsView } from "#core/api/settings-schemas.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { Section } from "#site/ui/section.tsx";

import { snapshotWithDraft } from "./draft.ts";
import { SETTINGS_ROUTE } from "./settings-editor-props.ts";

type TrimReplaysProps = Pick<AdminPanelProps, "auth">;
type TrimResult = { removed: number; bytes: number };

const MB = 1_000_000;

export function TrimReplays({ auth }: TrimReplaysProps) {
  return (
    <Section id="usage-replays" title="Replays">
      <p class="sub">
        Old replays are removed at each cleanup. To change how many are kept, see the{" "}
        <a href="/admin?part=settings">settings</a>.
      </p>
      <ActionBar>
        <ActionForm
          auth={auth}
          label="Remove old replays now"
          title="Remove old replays now"
          confirmLabel="Remove permanently"
          busyLabel="Removing…"
          requestFor={() => ({ method: "POST", path: "/api/admin/replays/trim", body: {} })}
          doneMessage={(response) => describeTrimmed(response as TrimResult)}
        >
          <TrimForecast auth={auth} />
          <p>
            This can't be undone: these matches can no longer be watched, downloaded or verified.
            Results, ratings and statistics stay.
          </p>
        </ActionForm>
      </ActionBar>
    </Section>
  );
}

const describeTrimmed = ({ removed, bytes }: TrimResult): string =>
  removed === 0
    ? "There were no replays to remove."
    : `Removed ${removed} replays, ${(bytes / MB).toFixed(1)} MB.`;

/** Previewing an empty change returns what the cleanup would delete. */
function TrimForecast({ auth }: TrimReplaysProps) {
  const [text, setText] = useState("Counting…");
  useEffect(() => {
    const loadForecast = async () => {
      const settingsResponse = await auth.sendRequest<SettingsView>("GET", SETTINGS_ROUTE);
      if ("refusal" in settingsResponse) return settingsResponse.refusal.text;
      const snapshot = snapshotWithDraft(settingsResponse.value, {});
      const previewResponse = await auth.sendRequest<Preview>(
        "POST",
        `${SETTINGS_ROUTE}/preview`,
        snapshot,
      );
      if ("refusal" in previewResponse) return previewResponse.refusal.text;
      const { replays_removed } = previewResponse.value;
      return replays_removed === 0
        ? "No replays are old enough to be removed."
        : `${replays_removed} replays are old enough to be removed.`;
    };
    void loadForecast().then(setText);
  }, []);
  return <p>{text}</p>;
}
