import type { AdminLadder, LadderDetail } from "#core/api/admin-ladder.ts";
import { ActionForm, ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";

import { newLadderBody, newLadderFields } from "./ladder-fields.ts";
import { AdminLadderPage } from "./ladder.tsx";

const COLUMNS = [
  {
    title: "Ladder",
    accessor: ({ name }: AdminLadder) => name,
    render: ({ id, name }: AdminLadder) => (
      <a href={adminPath("ladders", id)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { title: "Id", accessor: ({ id }: AdminLadder) => id },
  { title: "Phase", accessor: ({ phase }: AdminLadder) => phase },
  { title: "Access", accessor: ({ access }: AdminLadder) => access },
  { title: "On", accessor: ({ enabled }: AdminLadder) => enabled },
  { title: "Listed", accessor: ({ visible }: AdminLadder) => visible },
  { title: "Opens", accessor: (ladder: AdminLadder) => ladder.opens_at, kind: "instant" },
  { title: "Closes", accessor: (ladder: AdminLadder) => ladder.closes_at, kind: "instant" },
  { title: "Members", accessor: ({ members }: AdminLadder) => members.active, kind: "number" },
  {
    title: "Pending",
    accessor: ({ members }: AdminLadder) => members.pending,
    kind: "number",
  },
] as const satisfies readonly TableColumn<AdminLadder>[];

export function LaddersPanel(props: AdminPanelProps) {
  return props.selectedId === null ? (
    <AdminLadderList {...props} />
  ) : (
    <AdminLadderPage {...props} selectedId={props.selectedId} />
  );
}

function AdminLadderList({ auth, onSelect }: AdminPanelProps) {
  const resource = useResource<AdminLadder[]>(auth, "/api/admin/ladders");
  return (
    <>
      <ActionBar>
        <ActionForm
          auth={auth}
          label="New ladder"
          cancelLabel="Cancel"
          title="New ladder"
          confirmLabel="Create ladder"
          busyLabel="Creating…"
          fields={newLadderFields()}
          requestFor={(values) => ({
            method: "POST",
            path: "/api/admin/ladders",
            body: newLadderBody(values),
          })}
          doneMessage={() => "Ladder created."}
          onDone={(createdLadder) => onSelect((createdLadder as LadderDetail).ladder.id)}
        >
          <p>
            Everything except the ID can be changed later. Once a ladder has opened, its opening
            time is fixed.
          </p>
        </ActionForm>
      </ActionBar>
      <ResourceView resource={resource}>
        {(ladders) => (
          <AdminTable
            caption="Ladders"
            rows={ladders}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty="No ladders yet."
            isSearchable={ladders.length > 10}
          />
        )}
      </ResourceView>
    </>
  );
}
