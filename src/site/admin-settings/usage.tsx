import type { UsageReport as UsageAnswer } from "#core/api/usage.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { botPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";

import { formatSettingNumber } from "./draft.ts";
import { TrimReplays } from "./trim-replays.tsx";

type BotUsage = UsageAnswer["bots"][number];
type OwnerUsage = UsageAnswer["owners"][number];

const POLL_INTERVAL_MS = 10_000;
/** Longer lists have a search field. */
const MAX_UNSEARCHED_ROWS = 10;

const COUNT_COLUMNS = [
  { title: "Now", accessor: (row: BotUsage | OwnerUsage) => row.running, kind: "number" },
  { title: "Last hour", accessor: (row: BotUsage | OwnerUsage) => row.hour, kind: "number" },
  { title: "Last day", accessor: (row: BotUsage | OwnerUsage) => row.day, kind: "number" },
] as const;

/** Returns the used share of a quota, as a whole percentage. */
const quotaPercent = (usedCount: number, quota: number): number =>
  Math.round((100 * usedCount) / quota);

export function UsagePanel({ auth }: AdminPanelProps) {
  const read = useResource<UsageAnswer>(auth, "/api/admin/usage", POLL_INTERVAL_MS);
  return (
    <ResourceView resource={read}>
      {(value) => (
        <>
          <UsageTables {...value} />
          <TrimReplays auth={auth} />
        </>
      )}
    </ResourceView>
  );
}

function UsageTables({ limits, capacity, bots, owners }: UsageAnswer) {
  const { hourly_quota, owner_daily_quota, owner_concurrency } = limits.bot;
  const botColumns: [TableColumn<BotUsage>, ...TableColumn<BotUsage>[]] = [
    {
      title: "Bot",
      accessor: ({ name }) => name,
      render: ({ name }) => (
        <a href={botPath(name)}>
          <bdi>{name}</bdi>
        </a>
      ),
    },
    { title: "Owner", accessor: ({ owner }) => owner },
    ...COUNT_COLUMNS,
    {
      title: "% of hourly quota",
      // House bots have no quota.
      accessor: ({ house, hour }) => (house ? null : quotaPercent(hour, hourly_quota)),
      kind: "number",
    },
  ];
  const ownerColumns: [TableColumn<OwnerUsage>, ...TableColumn<OwnerUsage>[]] = [
    { title: "Owner", accessor: ({ owner }) => owner, render: (row) => <OwnerLink {...row} /> },
    { title: "Bots", accessor: (row) => row.bots, kind: "number" },
    ...COUNT_COLUMNS,
    {
      title: "% of daily quota",
      accessor: ({ day }) => quotaPercent(day, owner_daily_quota),
      kind: "number",
    },
  ];
  return (
    <>
      <FactList>
        <Fact title="Matches now">
          {capacity.running} of {capacity.max}
        </Fact>
        <Fact title="Concurrent per owner">{formatSettingNumber(owner_concurrency)}</Fact>
        <Fact title="Hourly per bot">{formatSettingNumber(hourly_quota)}</Fact>
        <Fact title="Daily per owner">{formatSettingNumber(owner_daily_quota)}</Fact>
      </FactList>
      <Section id="usage-owners" title="Owners">
        <AdminTable
          caption="Games by owner"
          rows={owners}
          columns={ownerColumns}
          keyOf={({ owner, account_id }) => account_id ?? owner}
          empty="No games in the last day."
          isSearchable={owners.length > MAX_UNSEARCHED_ROWS}
        />
      </Section>
      <Section id="usage-bots" title="Bots">
        <AdminTable
          caption="Games by bot"
          rows={bots}
          columns={botColumns}
          keyOf={({ id }) => id}
          empty="No games in the last day."
          isSearchable={bots.length > MAX_UNSEARCHED_ROWS}
        />
      </Section>
    </>
  );
}

function OwnerLink({ owner, account_id }: OwnerUsage) {
  if (account_id === null) return <bdi>{owner}</bdi>;
  return (
    <a href={adminPath("accounts", account_id)}>
      <bdi>{owner}</bdi>
    </a>
  );
}
