import { useEffect, useState } from "preact/hooks";

import type { SettingsView } from "#core/operator/settings.ts";
import type { PartProps } from "#site/admin/part.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";

import { Clash } from "./clash.tsx";
import { clashesOf, rebased } from "./draft.ts";
import type { SettingClash, SettingsDraft } from "./draft.ts";
import { SettingsFields } from "./fields.tsx";
import { SettingsHistory } from "./history.tsx";
import { Presets } from "./presets.tsx";
import { SaveBar } from "./save-bar.tsx";
import { SETTINGS_ROUTE } from "./settings-table.ts";

/** What may change while the ladder runs. */
export function Settings({ data, desk, keep }: PartProps) {
  const read = useRead<SettingsView>(desk, SETTINGS_ROUTE);
  return <Readable read={read}>{(first) => <Editor {...{ data, desk, keep, first }} />}</Readable>;
}

type EditorProps = Pick<PartProps, "data" | "desk" | "keep"> & { first: SettingsView };

function Editor({ data, desk, keep, first }: EditorProps) {
  const [view, setView] = useState(first);
  const [draft, setDraft] = useState<SettingsDraft>({});
  const [clashes, setClashes] = useState<SettingClash[] | null>(null);
  const [since, setSince] = useState(first.revision);
  const count = Object.keys(draft).length;
  useEffect(() => {
    keep(count === 0 ? null : lossWords(count));
    return () => keep(null);
  }, [count]);
  const clash = async () => {
    const answer = await desk.ask<SettingsView>("GET", SETTINGS_ROUTE);
    if ("refusal" in answer) return desk.say(answer.refusal.text);
    setClashes(clashesOf(view, answer.value, draft));
    setSince(view.revision);
    setDraft(rebased(answer.value, draft));
    setView(answer.value);
  };
  const renew = (next: SettingsView) => {
    setView(next);
    setDraft({});
    setClashes(null);
  };
  const relist = async () => {
    const answer = await desk.ask<SettingsView>("GET", SETTINGS_ROUTE);
    if (!("refusal" in answer)) setView({ ...view, presets: answer.value.presets });
  };
  const table = { data, desk, view, draft, setDraft, renew, relist, clash };
  return (
    <>
      <p class="sub">
        Revision {view.revision}. A value that nobody has changed is the one with which this server
        was started.
      </p>
      {clashes !== null && (
        <Clash {...{ view, clashes, since, draft, setDraft }} onClose={() => setClashes(null)} />
      )}
      <SettingsFields {...table} />
      <SaveBar {...table} />
      <Presets {...table} />
      <SettingsHistory {...table} />
    </>
  );
}

const lossWords = (count: number): string =>
  count === 1
    ? "One change of the settings is typed, and not saved."
    : `${count} changes of the settings are typed, and not saved.`;
