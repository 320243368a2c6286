import type { AnalyticsReport as AnalyticsAnswer } from "#core/api/analytics.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { botPath } from "#site/ui/links.ts";
import { Bar, Section } from "#site/ui/section.tsx";

import { DailyPlots } from "./day-plots.tsx";
import { DayRangeForm } from "./day-range-form.tsx";
import { parseDayRange } from "./day-range.ts";
import { formatWhole } from "./metric-format.ts";

export function AnalyticsPanel({ auth, selectedId, onSelect }: AdminPanelProps) {
  const span = parseDayRange(selectedId);
  const query = span === null ? "" : `?${new URLSearchParams(span).toString()}`;
  const resource = useResource<AnalyticsAnswer>(auth, `/api/admin/analytics${query}`);
  return (
    <>
      <DayRangeForm requestedRange={span} appliedRange={resource.value} onSelect={onSelect} />
      <ResourceView resource={resource}>
        {(value) => (
          <>
            <CurrentTotals {...value} />
            <AnalyticsSummary {...value} />
            <TopBotsAndMaps {...value} />
            <DailyTable {...value} />
          </>
        )}
      </ResourceView>
    </>
  );
}

function CurrentTotals({ current: totals, signup_tracking_since }: AnalyticsAnswer) {
  return (
    <Section
      id="analytics-now"
      title="Now"
      note={
        signup_tracking_since !== null &&
        `The first account was created on ${signup_tracking_since}.`
      }
    >
      <FactList>
        <Fact title="Accounts">{formatWhole(totals.users)}</Fact>
        <Fact title="Banned accounts">{formatWhole(totals.banned_users)}</Fact>
        <Fact title="Players' bots">{formatWhole(totals.bots)}</Fact>
        <Fact title="Active">{formatWhole(totals.active_bots)}</Fact>
        <Fact title="Suspended">{formatWhole(totals.suspended_bots)}</Fact>
        <Fact title="Banned">{formatWhole(totals.banned_bots)}</Fact>
        <Fact title="House bots">{formatWhole(totals.house_bots)}</Fact>
        <Fact title="Games, all time">{formatWhole(totals.games)}</Fact>
      </FactList>
    </Section>
  );
}

function AnalyticsSummary(analytics: AnalyticsAnswer) {
  const { from, to, summary, daily } = analytics;
  return (
    <Section
      id="analytics-span"
      title={`${from} to ${to}`}
      note={daily.length === 1 ? "One day, in UTC." : `${daily.length} days, in UTC.`}
    >
      <FactList>
        <Fact title="New accounts">{formatWhole(summary.users)}</Fact>
        <Fact title="New bots">{formatWhole(summary.bots)}</Fact>
        <Fact title="New versions">{formatWhole(summary.versions)}</Fact>
        <Fact title="Games">{formatWhole(summary.games)}</Fact>
        <Fact title="Ranked games">{formatWhole(summary.ranked)}</Fact>
        <Fact title="Practice and human games">{formatWhole(summary.other)}</Fact>
        <Fact title="Void (not counted)">{formatWhole(summary.voided)}</Fact>
        <Fact title="Bots that played">{formatWhole(summary.active_bots)}</Fact>
      </FactList>
      <DailyPlots analytics={analytics} />
    </Section>
  );
}

function TopBotsAndMaps({ top_bots, maps }: AnalyticsAnswer) {
  const maxGames = Math.max(1, ...maps.map(({ games }) => games));
  return (
    <>
      <Section id="analytics-bots" title="Most active bots">
        <AdminTable
          caption="Most active bots"
          rows={top_bots}
          columns={[
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
            { title: "Games", accessor: ({ games }) => games, kind: "number" },
            { title: "Ranked", accessor: ({ ranked }) => ranked, kind: "number" },
          ]}
          keyOf={({ name }) => name}
          empty="No player's bot played on these days."
        />
      </Section>
      <Section id="analytics-maps" title="Maps">
        <AdminTable
          caption="Maps"
          rows={maps}
          columns={[
            { title: "Map", accessor: ({ map }) => map },
            { title: "Games", accessor: ({ games }) => games, kind: "number" },
            {
              title: "Share of the most played",
              accessor: ({ games }) => Math.round((100 * games) / maxGames),
              render: ({ map, games }) => (
                <Bar
                  value={games}
                  max={maxGames}
                  label={`${games} games on ${map}`}
                  tone="tone-b"
                />
              ),
            },
          ]}
          keyOf={({ map }) => map}
          empty="No games on these days."
        />
      </Section>
    </>
  );
}

type DailyStats = AnalyticsAnswer["daily"][number];

const countColumn = (title: string, accessor: (day: DailyStats) => number) =>
  ({ title, accessor, kind: "number" }) as const;

function DailyTable({ daily }: AnalyticsAnswer) {
  return (
    <Section id="analytics-days" title="By day">
      <AdminTable
        caption="By day"
        rows={daily.toReversed()}
        columns={[
          {
            title: "Day",
            accessor: ({ day }) => day,
            render: ({ day }) => <span class="unbroken">{day}</span>,
          },
          countColumn("Accounts", ({ users }) => users),
          countColumn("Bots", ({ bots }) => bots),
          countColumn("Versions", ({ versions }) => versions),
          countColumn("Games", ({ games }) => games),
          countColumn("Ranked", ({ ranked }) => ranked),
          countColumn("Other", ({ other }) => other),
          countColumn("Void", ({ voided }) => voided),
          countColumn("Played", ({ active_bots }) => active_bots),
        ]}
        keyOf={({ day }) => day}
        empty="No days in this range."
      />
    </Section>
  );
}
