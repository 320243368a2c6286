import type { EventStanding, EventStandings } from "#core/operator/report.ts";
import { Moment } from "#site/admin/moment.tsx";
import { consolePath } from "#site/admin/place.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

import { Downloads } from "./download.tsx";
import type { EventPartProps } from "./event-part.ts";

/** Who has earned what, and when: accounts × achievements. */
export function Standings({ desk, event, path }: EventPartProps) {
  const read = useRead<EventStandings>(desk, `${path}/standings`);
  return (
    <Readable read={read}>
      {({ accounts, achievements }) => (
        <>
          <Table
            caption="Standings of the event"
            rows={accounts}
            columns={columnsOf(achievements)}
            keyOf={(row) => row.account_id}
            empty="Members of the ladder appear here, with what they have earned."
            isSearched={accounts.length > 10}
          />
          <Downloads desk={desk} path={`${path}/standings`} name={`${event.id}-standings`} />
          <Downloads desk={desk} path={`${path}/awards`} name={`${event.id}-awards`} />
        </>
      )}
    </Readable>
  );
}

const nameOf = ({ handle, account_id }: EventStanding): string => handle ?? account_id;

const columnsOf = (
  achievements: EventStandings["achievements"],
): [TableColumn<EventStanding>, ...TableColumn<EventStanding>[]] => [
  {
    title: "Account",
    of: nameOf,
    show: (row) => (
      <a href={consolePath("accounts", row.account_id)}>
        <bdi>{nameOf(row)}</bdi>
      </a>
    ),
  },
  { title: "Rank", of: ({ rank }) => rank, kind: "number" },
  { title: "Earned", of: ({ earned }) => earned, kind: "number" },
  ...achievements.map(({ name }, at) => ({
    title: name,
    of: (row: EventStanding) => row.achievements[at]?.earned_at ?? null,
    show: (row: EventStanding) => <Earned {...row.achievements[at]} />,
  })),
];

function Earned({
  earned_at = null,
  revoked_at = null,
}: Partial<EventStanding["achievements"][0]>) {
  if (earned_at === null) return <>–</>;
  return revoked_at === null ? <Moment at={earned_at} /> : <>revoked</>;
}
