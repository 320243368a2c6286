import type { Usage as UsageAnswer } from "#core/operator/usage.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { botPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";

import { numberWords } from "./draft.ts";
import { Trim } from "./trim.tsx";

type PlayedBot = UsageAnswer["bots"][number];
type PlayedOwner = UsageAnswer["owners"][number];

const EVERY_MS = 10_000;
/** A list that is longer can be searched. */
const UNSEARCHED = 10;

const COUNTS = [
  { title: "Now", of: (one: PlayedBot | PlayedOwner) => one.running, kind: "number" },
  { title: "In an hour", of: (one: PlayedBot | PlayedOwner) => one.hour, kind: "number" },
  { title: "In a day", of: (one: PlayedBot | PlayedOwner) => one.day, kind: "number" },
] as const;

/** How much of a quota is used, in whole percent. */
const share = (used: number, quota: number): number => Math.round((100 * used) / quota);

/** Who plays how much, of what may be played. */
export function Usage({ desk }: PartProps) {
  const read = useRead<UsageAnswer>(desk, "/api/admin/usage", EVERY_MS);
  return (
    <Readable read={read}>
      {(value) => (
        <>
          <Played {...value} />
          <Trim desk={desk} />
        </>
      )}
    </Readable>
  );
}

function Played({ limits, capacity, bots, owners }: UsageAnswer) {
  const { hourly_quota, owner_daily_quota, owner_concurrency } = limits.bot;
  const botColumns: [TableColumn<PlayedBot>, ...TableColumn<PlayedBot>[]] = [
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
    ...COUNTS,
    {
      title: "% of the hour's",
      // House bots have no quota.
      of: ({ house, hour }) => (house ? null : share(hour, hourly_quota)),
      kind: "number",
    },
  ];
  const ownerColumns: [TableColumn<PlayedOwner>, ...TableColumn<PlayedOwner>[]] = [
    { title: "Owner", of: ({ owner }) => owner, show: (one) => <OwnerLink {...one} /> },
    { title: "Bots", of: (one) => one.bots, kind: "number" },
    ...COUNTS,
    { title: "% of the day's", of: ({ day }) => share(day, owner_daily_quota), kind: "number" },
  ];
  return (
    <>
      <Facts>
        <Fact title="Bouts now">
          {capacity.running} of {capacity.max}
        </Fact>
        <Fact title="Of an owner at once">{numberWords(owner_concurrency)}</Fact>
        <Fact title="Of a bot in an hour">{numberWords(hourly_quota)}</Fact>
        <Fact title="Of an owner in a day">{numberWords(owner_daily_quota)}</Fact>
      </Facts>
      <Section id="usage-owners" title="Owners">
        <Table
          caption="What owners play"
          rows={owners}
          columns={ownerColumns}
          keyOf={({ owner, account_id }) => account_id ?? owner}
          empty="Nobody has played in the last day."
          isSearched={owners.length > UNSEARCHED}
        />
      </Section>
      <Section id="usage-bots" title="Bots">
        <Table
          caption="What bots play"
          rows={bots}
          columns={botColumns}
          keyOf={({ id }) => id}
          empty="No bot has played in the last day."
          isSearched={bots.length > UNSEARCHED}
        />
      </Section>
    </>
  );
}

function OwnerLink({ owner, account_id }: PlayedOwner) {
  if (account_id === null) return <bdi>{owner}</bdi>;
  return (
    <a href={consolePath("accounts", account_id)}>
      <bdi>{owner}</bdi>
    </a>
  );
}
