import type { AdminEvent } from "#core/api/event.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { adminPath } from "#site/admin/console-location.ts";

const COLUMNS = [
  {
    title: "Event",
    accessor: ({ name }: AdminEvent) => name,
    render: ({ id, name }: AdminEvent) => (
      <a href={adminPath("events", id)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { title: "Ladder", accessor: (event: AdminEvent) => event.ladder_id },
  { title: "Phase", accessor: ({ phase }: AdminEvent) => phase },
  { title: "On", accessor: ({ enabled }: AdminEvent) => enabled },
  { title: "Ready", accessor: ({ ready }: AdminEvent) => ready },
  { title: "Opens", accessor: (event: AdminEvent) => event.opens_at, kind: "instant" },
  { title: "Closes", accessor: (event: AdminEvent) => event.closes_at, kind: "instant" },
  {
    title: "Participants",
    accessor: ({ counts }: AdminEvent) => counts.participants,
    kind: "number",
  },
  { title: "Earned", accessor: ({ counts }: AdminEvent) => counts.earned, kind: "number" },
] as const satisfies readonly TableColumn<AdminEvent>[];

export const AdminEventTable = ({ events, empty }: { events: AdminEvent[]; empty: string }) => (
  <AdminTable
    caption="Events"
    rows={events}
    columns={COLUMNS}
    keyOf={({ id }) => id}
    empty={empty}
    isSearchable={events.length > 10}
  />
);
