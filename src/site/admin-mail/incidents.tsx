import type { Incident } from "#core/operator/email.ts";
import { Act } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { reasonIn, reasonQuestion } from "#site/admin/questions.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

import { causeWords, scopeWords } from "./mail-words.ts";

type IncidentsProps = Pick<PartProps, "data" | "desk"> & {
  incidents: readonly Incident[];
  again: () => Promise<void>;
};

const COLUMNS = [
  { title: "Since", of: ({ opened }: Incident) => opened, kind: "instant" },
  { title: "Affects", of: ({ scope }: Incident) => scopeWords(scope) },
  { title: "Because", of: ({ cause }: Incident) => causeWords(cause), kind: "long" },
  { title: "Resolved", of: ({ resolved }: Incident) => resolved, kind: "instant" },
  { title: "By", of: (one: Incident) => one.resolved_by },
  { title: "What was done", of: ({ resolution }: Incident) => resolution, kind: "long" },
] as const satisfies readonly TableColumn<Incident>[];

/** What the mail server's answers have stopped. */
export function Incidents({ incidents, ...props }: IncidentsProps) {
  return (
    <Table
      caption="Incidents"
      rows={incidents}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty="Nothing has ever stopped the mail."
      actions={(incident) =>
        incident.resolved === null &&
        incident.scope !== "transactional" && <Resolution {...props} incident={incident} />
      }
    />
  );
}

type ResolutionProps = Omit<IncidentsProps, "incidents"> & { incident: Incident };

function Resolution({ data, desk, incident: { scope, cause }, again }: ResolutionProps) {
  const what = scope === "*" ? "all mail" : scopeWords(scope);
  return (
    <Act
      desk={desk}
      look="row"
      ask="Resolve"
      title={`Resolve what stops ${what}`}
      yes="Send again"
      waiting="Resolving…"
      questions={[
        {
          ...reasonQuestion(data.reason_length, false),
          label: "What was done about it",
          hint: "It stands here and in the audit.",
        },
      ]}
      route={(answers) => ({
        method: "POST",
        path: `/api/admin/emails/incidents/${encodeURIComponent(scope)}/resolve`,
        body: reasonIn(answers),
      })}
      done={() => "Mail goes out again."}
      onDone={again}
    >
      <p>
        It was stopped because {causeWords(cause)}. Letters that wait go out now, one a second. If
        the cause is still there, the next of them stops it again.
      </p>
    </Act>
  );
}
