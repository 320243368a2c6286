import type { Analytics as AnalyticsAnswer } from "#core/operator/analytics.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import { botPath } from "#site/look/links.ts";
import { Bar, Section } from "#site/look/parts.tsx";

import { DayPlots } from "./day-plots.tsx";
import { wholeWords } from "./figure-words.ts";
import { SpanForm } from "./span-form.tsx";
import { spanIn } from "./span.ts";

/** What has been going on, day by day. */
export function Analytics({ desk, of, look }: PartProps) {
  const span = spanIn(of);
  const query = span === null ? "" : `?${new URLSearchParams(span).toString()}`;
  const read = useRead<AnalyticsAnswer>(desk, `/api/admin/analytics${query}`);
  return (
    <>
      <SpanForm asked={span} answered={read.value} look={look} />
      <Readable read={read}>
        {(value) => (
          <>
            <Current {...value} />
            <Summary {...value} />
            <Busiest {...value} />
            <Days {...value} />
          </>
        )}
      </Readable>
    </>
  );
}

function Current({ current, signup_tracking_since }: AnalyticsAnswer) {
  return (
    <Section
      id="analytics-now"
      title="Now"
      note={signup_tracking_since !== null && `The first account is of ${signup_tracking_since}.`}
    >
      <Facts>
        <Fact title="Accounts">{wholeWords(current.users)}</Fact>
        <Fact title="Banned accounts">{wholeWords(current.banned_users)}</Fact>
        <Fact title="Bots of players">{wholeWords(current.bots)}</Fact>
        <Fact title="Active">{wholeWords(current.active_bots)}</Fact>
        <Fact title="Suspended">{wholeWords(current.suspended_bots)}</Fact>
        <Fact title="Banned">{wholeWords(current.banned_bots)}</Fact>
        <Fact title="House bots">{wholeWords(current.house_bots)}</Fact>
        <Fact title="Games ever">{wholeWords(current.games)}</Fact>
      </Facts>
    </Section>
  );
}

function Summary(analytics: AnalyticsAnswer) {
  const { from, to, summary, daily } = analytics;
  return (
    <Section
      id="analytics-span"
      title={`${from} to ${to}`}
      note={daily.length === 1 ? "One day, in UTC." : `${daily.length} days, in UTC.`}
    >
      <Facts>
        <Fact title="New accounts">{wholeWords(summary.users)}</Fact>
        <Fact title="New bots">{wholeWords(summary.bots)}</Fact>
        <Fact title="New versions">{wholeWords(summary.versions)}</Fact>
        <Fact title="Games">{wholeWords(summary.games)}</Fact>
        <Fact title="Of them ranked">{wholeWords(summary.ranked)}</Fact>
        <Fact title="Practice and people">{wholeWords(summary.other)}</Fact>
        <Fact title="Void, not counted">{wholeWords(summary.voided)}</Fact>
        <Fact title="Bots that played">{wholeWords(summary.active_bots)}</Fact>
      </Facts>
      <DayPlots analytics={analytics} />
    </Section>
  );
}

function Busiest({ top_bots, maps }: AnalyticsAnswer) {
  const most = Math.max(1, ...maps.map(({ games }) => games));
  return (
    <>
      <Section id="analytics-bots" title="Bots that played most">
        <Table
          caption="Bots that played most"
          rows={top_bots}
          columns={[
            {
              title: "Bot",
              of: ({ name }) => name,
              show: ({ name }) => (
                <a href={botPath(name)}>
                  <bdi>{name}</bdi>
                </a>
              ),
            },
            { title: "Owner", of: ({ owner }) => owner },
            { title: "Games", of: ({ games }) => games, kind: "number" },
            { title: "Ranked", of: ({ ranked }) => ranked, kind: "number" },
          ]}
          keyOf={({ name }) => name}
          empty="No bot of a player has played on these days."
        />
      </Section>
      <Section id="analytics-maps" title="Maps">
        <Table
          caption="Maps"
          rows={maps}
          columns={[
            { title: "Map", of: ({ map }) => map },
            { title: "Games", of: ({ games }) => games, kind: "number" },
            {
              title: "Next to the most played",
              of: ({ games }) => Math.round((100 * games) / most),
              show: ({ map, games }) => (
                <Bar value={games} max={most} label={`${games} games on ${map}`} tone="tone-b" />
              ),
            },
          ]}
          keyOf={({ map }) => map}
          empty="No game was played on these days."
        />
      </Section>
    </>
  );
}

type Day = AnalyticsAnswer["daily"][number];

const count = (title: string, of: (day: Day) => number) => ({ title, of, kind: "number" }) as const;

function Days({ daily }: AnalyticsAnswer) {
  return (
    <Section id="analytics-days" title="Day by day">
      <Table
        caption="Day by day"
        rows={daily.toReversed()}
        columns={[
          {
            title: "Day",
            of: ({ day }) => day,
            show: ({ day }) => <span class="unbroken">{day}</span>,
          },
          count("Accounts", ({ users }) => users),
          count("Bots", ({ bots }) => bots),
          count("Versions", ({ versions }) => versions),
          count("Games", ({ games }) => games),
          count("Ranked", ({ ranked }) => ranked),
          count("Other", ({ other }) => other),
          count("Void", ({ voided }) => voided),
          count("Played", ({ active_bots }) => active_bots),
        ]}
        keyOf={({ day }) => day}
        empty="There is no day."
      />
    </Section>
  );
}
