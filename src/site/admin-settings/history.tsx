import type { ComponentChildren } from "preact";

import type { AuditView } from "#core/api/account.ts";
import type { SettingsView } from "#core/api/settings-schemas.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { Section } from "#site/ui/section.tsx";

import { draftForRevision } from "./draft.ts";
import { formatSettingValue } from "./fields.tsx";
import type { SettingsEditorProps } from "./settings-editor-props.ts";

type SettingsRevision = SettingsView["history"][number];

const describeChanges = ({ changes }: SettingsRevision): string =>
  changes
    .map(({ field, ladder_id, from, to }) => {
      const ladderSuffix = ladder_id === null ? "" : ` of ${ladder_id}`;
      return `${field}${ladderSuffix}: ${formatSettingValue(from)} → ${formatSettingValue(to)}`;
    })
    .join(", ");

export function SettingsHistory({ auth, view, setDraft }: SettingsEditorProps) {
  const { history } = view;
  return (
    <Section id="settings-history" title="History">
      <WithAuditReasons {...{ auth, history }} key={view.revision}>
        {(reasonOf) => (
          <AdminTable
            caption="Settings changes"
            rows={history}
            columns={[
              { title: "Revision", accessor: ({ revision }) => revision, kind: "number" },
              { title: "When", accessor: ({ at }) => at, kind: "instant" },
              { title: "Who", accessor: ({ by }) => by ?? "no handle" },
              { title: "Changed", accessor: describeChanges, kind: "long" },
              { title: "Reason", accessor: reasonOf, kind: "long" },
            ]}
            keyOf={({ revision }) => String(revision)}
            empty="No changes yet."
            actions={({ revision }) =>
              revision < view.revision && (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => {
                    setDraft(draftForRevision(view, revision));
                    auth.showStatusMessage(`Save to revert the settings to revision ${revision}.`);
                  }}
                >
                  Revert to {revision}
                </button>
              )
            }
          />
        )}
      </WithAuditReasons>
    </Section>
  );
}

type WithAuditReasonsProps = Pick<SettingsEditorProps, "auth"> & {
  history: readonly SettingsRevision[];
  children: (reasonOf: (revision: SettingsRevision) => string | null) => ComponentChildren;
};

/** Loads the reasons from the audit log, because revisions don't store them. */
function WithAuditReasons({ auth, history, children }: WithAuditReasonsProps) {
  const query = new URLSearchParams({
    kind: "settings.changed",
    limit: String(Math.max(1, history.length)),
  });
  const { value } = useResource<AuditView[]>(auth, `/api/admin/audit?${query.toString()}`);
  const reasons = new Map((value ?? []).map(({ subject, reason }) => [subject?.id, reason]));
  return <>{children(({ revision }) => reasons.get(String(revision)) ?? null)}</>;
}
