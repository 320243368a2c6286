import type { ComponentChildren } from "preact";

import type { SettingsView } from "#core/operator/settings.ts";
import type { AuditView } from "#core/resources/account.ts";
import { useRead } from "#site/admin/read.ts";
import { Table } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { backTo } from "./draft.ts";
import { shown } from "./fields.tsx";
import type { SettingsTable } from "./settings-table.ts";

type Revision = SettingsView["history"][number];

const wordsOf = ({ changes }: Revision): string =>
  changes
    .map(({ field, ladder_id, from, to }) => {
      const of = ladder_id === null ? "" : ` of ${ladder_id}`;
      return `${field}${of}: ${shown(from)} → ${shown(to)}`;
    })
    .join(", ");

/** Who changed what, when and why, and ways back. */
export function SettingsHistory({ desk, view, setDraft }: SettingsTable) {
  const { history } = view;
  return (
    <Section id="settings-history" title="History">
      <Reasoned {...{ desk, history }} key={view.revision}>
        {(reasonOf) => (
          <Table
            caption="Changes of the settings"
            rows={history}
            columns={[
              { title: "Revision", of: ({ revision }) => revision, kind: "number" },
              { title: "When", of: ({ at }) => at, kind: "instant" },
              { title: "Who", of: ({ by }) => by ?? "without a handle" },
              { title: "Changed", of: wordsOf, kind: "long" },
              { title: "Why", of: reasonOf, kind: "long" },
            ]}
            keyOf={({ revision }) => String(revision)}
            empty="Nobody has changed a setting."
            actions={({ revision }) =>
              revision < view.revision && (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => {
                    setDraft(backTo(view, revision));
                    desk.say(`The settings are as after revision ${revision} once you save them.`);
                  }}
                >
                  Set back to {revision}
                </button>
              )
            }
          />
        )}
      </Reasoned>
    </Section>
  );
}

type ReasonedProps = Pick<SettingsTable, "desk"> & {
  history: readonly Revision[];
  children: (reasonOf: (one: Revision) => string | null) => ComponentChildren;
};

/** The audit has the reasons. */
function Reasoned({ desk, history, children }: ReasonedProps) {
  const query = new URLSearchParams({
    kind: "settings.changed",
    limit: String(Math.max(1, history.length)),
  });
  const { value } = useRead<AuditView[]>(desk, `/api/admin/audit?${query.toString()}`);
  const reasons = new Map((value ?? []).map(({ subject, reason }) => [subject?.id, reason]));
  return <>{children(({ revision }) => reasons.get(String(revision)) ?? null)}</>;
}
