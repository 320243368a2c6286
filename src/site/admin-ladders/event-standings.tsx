import type { EventStanding, EventStandings } from "#core/api/admin-reports.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";

import { DownloadButtons } from "./download-buttons.tsx";
import type { EventPanelProps } from "./event-panel-props.ts";

export function EventStandingsTable({ auth, event, path }: EventPanelProps) {
  const resource = useResource<EventStandings>(auth, `${path}/standings`);
  return (
    <ResourceView resource={resource}>
      {({ accounts, achievements }) => (
        <>
          <AdminTable
            caption="Event standings"
            rows={accounts}
            columns={standingsColumns(achievements)}
            keyOf={(row) => row.account_id}
            empty="Ladder members and their achievements will appear here."
            isSearchable={accounts.length > 10}
          />
          <DownloadButtons auth={auth} path={`${path}/standings`} name={`${event.id}-standings`} />
          <DownloadButtons auth={auth} path={`${path}/awards`} name={`${event.id}-awards`} />
        </>
      )}
    </ResourceView>
  );
}

const standingName = ({ handle, account_id }: EventStanding): string => handle ?? account_id;

const standingsColumns = (
  achievements: EventStandings["achievements"],
): [TableColumn<EventStanding>, ...TableColumn<EventStanding>[]] => [
  {
    title: "Account",
    accessor: standingName,
    render: (row) => (
      <a href={adminPath("accounts", row.account_id)}>
        <bdi>{standingName(row)}</bdi>
      </a>
    ),
  },
  { title: "Rank", accessor: ({ rank }) => rank, kind: "number" },
  { title: "Earned", accessor: ({ earned }) => earned, kind: "number" },
  ...achievements.map(({ name }, index) => ({
    title: name,
    accessor: (row: EventStanding) => row.achievements[index]?.earned_at ?? null,
    render: (row: EventStanding) => <EarnedCell {...row.achievements[index]} />,
  })),
];

function EarnedCell({
  earned_at = null,
  revoked_at = null,
}: Partial<EventStanding["achievements"][0]>) {
  if (earned_at === null) return <>–</>;
  return revoked_at === null ? <AdminTime instant={earned_at} /> : <>revoked</>;
}
