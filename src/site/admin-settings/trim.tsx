import { useEffect, useState } from "preact/hooks";

import type { Preview, SettingsView } from "#core/operator/settings.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { Section } from "#site/look/parts.tsx";

import { snapshotOf } from "./draft.ts";
import { SETTINGS_ROUTE } from "./settings-table.ts";

type TrimProps = Pick<PartProps, "desk">;
type Trimmed = { removed: number; bytes: number };

const MB = 1_000_000;

/** The cleanup of replays, ahead of its time. */
export function Trim({ desk }: TrimProps) {
  return (
    <Section id="usage-replays" title="Replays">
      <p class="sub">
        Replays that are too old to keep are removed at each cleanup. How many are kept is a{" "}
        <a href="/admin?part=settings">setting</a>.
      </p>
      <Acts>
        <Act
          desk={desk}
          ask="Remove old replays now"
          title="Remove old replays now"
          yes="Remove them for good"
          waiting="Removing…"
          route={() => ({ method: "POST", path: "/api/admin/replays/trim", body: {} })}
          done={(answer) => trimmedWords(answer as Trimmed)}
        >
          <Forecast desk={desk} />
          <p>
            They cannot be brought back: nobody can watch, download or verify those bouts any more.
            Results, ratings and statistics stay.
          </p>
        </Act>
      </Acts>
    </Section>
  );
}

const trimmedWords = ({ removed, bytes }: Trimmed): string =>
  removed === 0
    ? "There was none to remove."
    : `${removed} replays are removed, ${(bytes / MB).toFixed(1)} MB.`;

/** A change of settings that changes nothing tells what the cleanup would do. */
function Forecast({ desk }: TrimProps) {
  const [words, setWords] = useState("Asking how many…");
  useEffect(() => {
    const ask = async () => {
      const view = await desk.ask<SettingsView>("GET", SETTINGS_ROUTE);
      if ("refusal" in view) return view.refusal.text;
      const snapshot = snapshotOf(view.value, {});
      const told = await desk.ask<Preview>("POST", `${SETTINGS_ROUTE}/preview`, snapshot);
      if ("refusal" in told) return told.refusal.text;
      const { replays_removed } = told.value;
      return replays_removed === 0
        ? "There is no replay that is too old at the moment."
        : `${replays_removed} replays are too old to keep.`;
    };
    void ask().then(setWords);
  }, []);
  return <p>{words}</p>;
}
