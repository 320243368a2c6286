import { useEffect, useRef } from "preact/hooks";

import type { SettingsView } from "#core/operator/settings.ts";
import { Acts } from "#site/admin/act.tsx";
import { Moment } from "#site/admin/moment.tsx";
import { Table } from "#site/admin/table.tsx";

import type { SettingClash, SettingsDraft } from "./draft.ts";
import { nameOf, shown } from "./fields.tsx";

type ClashProps = {
  view: SettingsView;
  clashes: readonly SettingClash[];
  /** The revision from which the draft was begun. */
  since: number;
  draft: SettingsDraft;
  setDraft: (draft: SettingsDraft) => void;
  onClose: () => void;
};

/** Somebody else was faster: what they did, what was typed here, and the ways on. */
export function Clash({ view, clashes, since, draft, setDraft, onClose }: ClashProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    // The scrolling that comes with the focus is lost while the panel takes its place.
    const shown = requestAnimationFrame(() => heading.current?.scrollIntoView());
    return () => cancelAnimationFrame(shown);
  }, [view.revision]);
  const taken = () => {
    const names = new Set(clashes.map(({ item }) => item.key));
    const kept = Object.entries(draft).filter(([key]) => !names.has(key));
    setDraft(Object.fromEntries(kept));
    onClose();
  };
  return (
    <section class="settings-clash" aria-labelledby="settings-clash">
      <h2 id="settings-clash" ref={heading} tabIndex={-1}>
        Somebody else changed the settings meanwhile
      </h2>
      <p>Nothing of yours is saved, and nothing of it is lost.</p>
      <ul>
        {view.history
          .filter(({ revision }) => revision > since)
          .map(({ revision, at, by, changes }) => (
            <li key={revision}>
              Revision {revision}, <bdi>{by ?? "somebody without a handle"}</bdi>,{" "}
              <Moment at={at} />: {changes.map(({ field }) => field).join(", ")}
            </li>
          ))}
      </ul>
      <Table
        caption="Changed by both"
        rows={clashes}
        columns={[
          { title: "Setting", of: ({ item }) => nameOf(item) },
          { title: "Before", of: ({ before }) => shown(before) },
          { title: "Theirs", of: ({ theirs }) => shown(theirs) },
          { title: "Yours", of: ({ mine }) => mine || shown(null) },
        ]}
        keyOf={({ item }) => item.key}
        empty="None of the settings that you changed is among them."
      />
      <Acts>
        <button type="button" class="button quiet" onClick={onClose}>
          {clashes.length === 0 ? "Go on" : "Go on with mine"}
        </button>
        {clashes.length > 0 && (
          <button type="button" class="button quiet" onClick={taken}>
            Leave theirs as they are
          </button>
        )}
      </Acts>
    </section>
  );
}
