import type { Incident } from "#core/api/admin-emails.ts";
import { ActionForm } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { reasonBody, reasonField } from "#site/admin/form-fields.ts";

import { describeCause, describeScope } from "./mail-labels.ts";

type IncidentsTableProps = Pick<AdminPanelProps, "data" | "auth"> & {
  incidents: readonly Incident[];
  reload: () => Promise<void>;
};

const COLUMNS = [
  { title: "Since", accessor: ({ opened }: Incident) => opened, kind: "instant" },
  { title: "Affects", accessor: ({ scope }: Incident) => describeScope(scope) },
  { title: "Cause", accessor: ({ cause }: Incident) => describeCause(cause), kind: "long" },
  { title: "Resolved", accessor: ({ resolved }: Incident) => resolved, kind: "instant" },
  { title: "By", accessor: (incident: Incident) => incident.resolved_by },
  { title: "Resolution", accessor: ({ resolution }: Incident) => resolution, kind: "long" },
] as const satisfies readonly TableColumn<Incident>[];

export function IncidentsTable({ incidents, ...props }: IncidentsTableProps) {
  return (
    <AdminTable
      caption="Incidents"
      rows={incidents}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty="No incidents."
      actions={(incident) =>
        incident.resolved === null &&
        incident.scope !== "transactional" && <ResolveIncident {...props} incident={incident} />
      }
    />
  );
}

type ResolveIncidentProps = Omit<IncidentsTableProps, "incidents"> & { incident: Incident };

function ResolveIncident({ data, auth, incident: { scope, cause }, reload }: ResolveIncidentProps) {
  const affectedText = scope === "*" ? "all email" : describeScope(scope);
  return (
    <ActionForm
      auth={auth}
      variant="row"
      label="Resolve"
      title={`Resolve the incident for ${affectedText}`}
      confirmLabel="Send again"
      busyLabel="Resolving…"
      fields={[
        {
          ...reasonField(data.reason_length, false),
          label: "What did you do to fix it?",
          hint: "Shown here and in the audit log.",
        },
      ]}
      requestFor={(values) => ({
        method: "POST",
        path: `/api/admin/emails/incidents/${encodeURIComponent(scope)}/resolve`,
        body: reasonBody(values),
      })}
      doneMessage={() => "Sending has resumed."}
      onDone={reload}
    >
      <p>
        Sending stopped because {describeCause(cause)}. Queued emails will be sent now, one per
        second. If the cause persists, sending stops again.
      </p>
    </ActionForm>
  );
}
