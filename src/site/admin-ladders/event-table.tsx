import type { AdminEvent } from "#core/resources/event.ts";
import { consolePath } from "#site/admin/place.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

const COLUMNS = [
  {
    title: "Event",
    of: ({ name }: AdminEvent) => name,
    show: ({ id, name }: AdminEvent) => (
      <a href={consolePath("events", id)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { title: "Ladder", of: (one: AdminEvent) => one.ladder_id },
  { title: "Phase", of: ({ phase }: AdminEvent) => phase },
  { title: "On", of: ({ enabled }: AdminEvent) => enabled },
  { title: "Ready", of: ({ ready }: AdminEvent) => ready },
  { title: "Opens", of: (one: AdminEvent) => one.opens_at, kind: "instant" },
  { title: "Closes", of: (one: AdminEvent) => one.closes_at, kind: "instant" },
  { title: "Take part", of: ({ counts }: AdminEvent) => counts.participants, kind: "number" },
  { title: "Earned", of: ({ counts }: AdminEvent) => counts.earned, kind: "number" },
] as const satisfies readonly TableColumn<AdminEvent>[];

/** Events, all of them or those of a ladder. */
export const EventTable = ({ events, empty }: { events: AdminEvent[]; empty: string }) => (
  <Table
    caption="Events"
    rows={events}
    columns={COLUMNS}
    keyOf={({ id }) => id}
    empty={empty}
    isSearched={events.length > 10}
  />
);
