import { useEffect, useRef } from "preact/hooks";

import type { SettingsView } from "#core/api/settings-schemas.ts";
import { ActionBar } from "#site/admin/action-form.tsx";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { AdminTime } from "#site/admin/admin-time.tsx";

import type { SettingConflict, SettingsDraft } from "./draft.ts";
import { settingName, formatSettingValue } from "./fields.tsx";

type ConflictPanelProps = {
  view: SettingsView;
  conflicts: readonly SettingConflict[];
  baseRevision: number;
  draft: SettingsDraft;
  setDraft: (draft: SettingsDraft) => void;
  onClose: () => void;
};

/**
 * Shown when another operator saved first. Compares both sets of changes and offers ways to resolve
 * the conflict.
 */
export function ConflictPanel({
  view,
  conflicts,
  baseRevision,
  draft,
  setDraft,
  onClose,
}: ConflictPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    // Focusing scrolls to the heading, but the panel's layout change undoes the scroll.
    const animationFrame = requestAnimationFrame(() => heading.current?.scrollIntoView());
    return () => cancelAnimationFrame(animationFrame);
  }, [view.revision]);
  const discardMine = () => {
    const conflictingKeys = new Set(conflicts.map(({ item }) => item.key));
    const remainingChanges = Object.entries(draft).filter(([key]) => !conflictingKeys.has(key));
    setDraft(Object.fromEntries(remainingChanges));
    onClose();
  };
  return (
    <section class="settings-clash" aria-labelledby="settings-clash">
      <h2 id="settings-clash" ref={heading} tabIndex={-1}>
        Someone else changed these settings
      </h2>
      <p>Your changes aren't saved yet, but they're still here.</p>
      <ul>
        {view.history
          .filter(({ revision }) => revision > baseRevision)
          .map(({ revision, at, by, changes }) => (
            <li key={revision}>
              Revision {revision}, <bdi>{by ?? "a user without a handle"}</bdi>,{" "}
              <AdminTime instant={at} />: {changes.map(({ field }) => field).join(", ")}
            </li>
          ))}
      </ul>
      <AdminTable
        caption="Changed by both"
        rows={conflicts}
        columns={[
          { title: "Setting", accessor: ({ item }) => settingName(item) },
          { title: "Original", accessor: ({ previousValue }) => formatSettingValue(previousValue) },
          { title: "Theirs", accessor: ({ theirValue }) => formatSettingValue(theirValue) },
          { title: "Yours", accessor: ({ draftText }) => draftText || formatSettingValue(null) },
        ]}
        keyOf={({ item }) => item.key}
        empty="They didn't change any of the settings you edited."
      />
      <ActionBar>
        <button type="button" class="button quiet" onClick={onClose}>
          {conflicts.length === 0 ? "Continue" : "Keep my changes"}
        </button>
        {conflicts.length > 0 && (
          <button type="button" class="button quiet" onClick={discardMine}>
            Use theirs
          </button>
        )}
      </ActionBar>
    </section>
  );
}
