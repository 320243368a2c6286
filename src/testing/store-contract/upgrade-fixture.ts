// Databases with the schemas of earlier releases: their rows as SQL, and what each release's store
// returned when reading them.
import { readdirSync, readFileSync } from "node:fs";

import { sql } from "kysely";

import type { BotId } from "#core/ids/ids.ts";
import type { Competition } from "#core/ladder/season.ts";
import { migrate, MIGRATIONS } from "#data/migrations/migrations.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Database } from "#data/queries/tables.ts";
import type { Store } from "#data/store/store.ts";

import { sampleId } from "./store-samples.ts";

export const FIXTURES_FOLDER = new URL("upgrades/", import.meta.url);

/**
 * The time at which fixtures are upgraded. The baseline's matches then belong to the preseason and
 * the current month.
 */
export const UPGRADED_AT = "2026-10-26T12:00:00.000Z";

export const FIXTURE_BOTS = Array.from({ length: 9 }, (_, number) => sampleId("bot", number));
export const FIXTURE_MATCHES = Array.from({ length: 56 }, (_, number) => sampleId("match", number));
const VERSIONS = Array.from({ length: 18 }, (_, number) => sampleId("version", number));
/** The current token hashes, and one that was replaced by a ban. */
const HASHES = [...FIXTURE_BOTS.map((_, number) => `hash-${number}`), "hash-new"];

const FIXTURE_FILE = /^schema-(\d+)\.sql$/;

export function fixtureSchemas(): number[] {
  const schemaNumbers = readdirSync(FIXTURES_FOLDER).flatMap(
    (name) => FIXTURE_FILE.exec(name)?.[1] ?? [],
  );
  return schemaNumbers.map(Number).toSorted((a, b) => a - b);
}

export async function loadFixture(backend: Backend, schema: number): Promise<void> {
  const released = MIGRATIONS.filter(({ number }) => number <= schema);
  await migrate(backend, UPGRADED_AT, released);
  const text = readFileSync(new URL(`schema-${schema}.sql`, FIXTURES_FOLDER), "utf8");
  await backend.database.transaction().execute(async (tx) => {
    for (const statement of text.split(/;\n(?=delete from|insert into|$)/).filter(Boolean))
      await sql.raw(toDialect(statement, backend)).execute(tx);
  });
}

/**
 * Multiplies each match in an SQLite fixture, and all counts, by up to 65,536, so that upgrades
 * take a while.
 */
export async function multiplyMatches({ database }: Backend, times: number): Promise<void> {
  await database.transaction().execute(async (tx) => {
    for (const { name, keys, sums, columns } of await tablesOf(tx)) {
      const id = name === "matches" ? "id" : keys.find((keyColumn) => keyColumn === "match_id");
      if (id !== undefined) await sql.raw(copyStatement(name, id, columns, times)).execute(tx);
      else if (COUNTS.includes(name))
        for (const sum of sums)
          await sql.raw(`update ${name} set ${sum} = ${times} * ${sum}`).execute(tx);
    }
  });
}

const COUNTS = `pair_counts version_activity ladder_tallies bot_opponents bot_maps bot_play
  bot_weapons ever_rivals ever_maps`.split(/\s+/);

/** Copies differ in the second group of UUID digits, which is zero in sample IDs. */
function copyStatement(
  table: string,
  id: string,
  columns: readonly string[],
  times: number,
): string {
  const copied = columns.map((column) =>
    column === id ? `substr(${id}, 1, 9) || printf('%04x', n) || substr(${id}, 14)` : column,
  );
  return `insert into ${table} (${columns.join()})
    with recursive copies (n) as (select 1 union all select n + 1 from copies where n < ${times - 1})
    select ${copied.join()} from copies cross join ${table}`;
}

type Table = { name: string; columns: string[]; keys: string[]; sums: string[] };

/** Returns the tables of an SQLite database. Each table comes after the tables it refers to. */
export async function tablesOf(database: Database): Promise<Table[]> {
  const { rows } = await sql<{ table: string; column: string; type: string; keyColumn: number }>`
    select t.name as "table", c.name as "column", c.type, c.pk as "keyColumn"
    from sqlite_schema as t join pragma_table_info(t.name) as c
    where t.type = 'table' and t.name <> 'schema_migrations' order by t.rowid, c.cid
  `.execute(database);
  return [...Map.groupBy(rows, ({ table }) => table)].map(([name, group]) => {
    const namesOf = (columnRows: typeof rows) => columnRows.map(({ column }) => column);
    return {
      name,
      columns: namesOf(group),
      keys: namesOf(group.filter(({ keyColumn }) => keyColumn > 0)),
      sums: namesOf(group.filter(({ keyColumn, type }) => keyColumn === 0 && type === "INTEGER")),
    };
  });
}

function toDialect(statement: string, { types }: Backend): string {
  if (types.bytes !== "bytea") return statement;
  return statement.replaceAll(/\bx'([0-9a-f]*)'/g, String.raw`'\x$1'`);
}

/**
 * Returns what the release's store read from its own database, limited to reads that still exist.
 * The baseline's reads come from an upgraded database.
 */
export function fixtureReads(schema: number): unknown {
  const text = readFileSync(new URL(`schema-${schema}.json`, FIXTURES_FOLDER), "utf8");
  const reads = JSON.parse(text) as Reads;
  return schema < PEOPLE_SCHEMA ? { ...reads, ...convertForPeople(reads) } : reads;
}

/** Since this schema, seats store the winner and audit entries store the actor. */
const PEOPLE_SCHEMA = 26;

type OldMatch = { winnerBotId: string | null; seats: { botId: string }[] };
type OldEntry = { kind: string; subject: string };
type Reads = {
  byBot: { bot: { id: string; name: string } | null }[];
  competitions: { matches: OldMatch[] }[];
  audit: OldEntry[];
  throttled: OldEntry[];
};

function convertForPeople({ byBot, competitions, audit, throttled }: Reads): object {
  const idOf = (name: string) => byBot.find(({ bot }) => bot?.name === name)?.bot?.id ?? null;
  const toEntry = ({ kind, subject: name, ...entry }: OldEntry) => ({
    ...entry,
    kind: kind === "bot_registered" ? "bot.registered" : "bot.throttled",
    actor: { kind: "system", id: null, name: null },
    subject: { kind: "bot", id: idOf(name), name },
    reason: null,
  });
  const toMatch = ({ winnerBotId, ...match }: OldMatch) => {
    const seat = match.seats.findIndex(({ botId }) => botId === winnerBotId);
    return { ...match, winnerSeat: seat === -1 ? null : seat };
  };
  return {
    audit: audit.map(toEntry),
    throttled: throttled.map(toEntry),
    competitions: competitions.map((competition) => ({
      ...competition,
      matches: competition.matches.map(toMatch),
    })),
  };
}

/**
 * Returns the results of all store reads about the fixture as JSON, after backfilling turn
 * statistics.
 */
export async function readEverything(store: Store): Promise<object> {
  while ((await store.stats.backfillTurns(50)) > 0);
  const seasons = await store.seasons.list();
  const competitions = [
    ...seasons.map(({ id }) => ({ ladderId: "public", season: id })),
    { ladderId: "event", season: null },
  ];
  const reads = {
    tokens: await Promise.all(HASHES.map((hash) => store.bots.byToken(hash))),
    seasons,
    competitions: await Promise.all(
      competitions.map((competition) => competitionReads(store, competition)),
    ),
    byBot: await Promise.all(FIXTURE_BOTS.map((id) => botReads(store, id))),
    counts: await store.matches.counts("public"),
    casual: await Promise.all(FIXTURE_MATCHES.slice(50, 52).map((id) => store.matches.byId(id))),
    stats: await Promise.all(FIXTURE_MATCHES.slice(8, 12).map((id) => store.matches.stats(id))),
    starts: await store.matches.startsSince("2026-10-20T00:00:00.000Z"),
    turns: await store.stats.turns(VERSIONS, FIXTURE_MATCHES.length),
    places: await store.standings.latest("public"),
    replays: (await store.replays.ids()).toSorted(),
    audit: await store.audit.list({ limit: 100 }),
    throttled: await store.audit.list({ kind: "bot.throttled", limit: 100 }),
  };
  return JSON.parse(JSON.stringify(reads)) as typeof reads;
}

async function competitionReads(store: Store, competition: Competition): Promise<unknown> {
  const season = competition.season ?? undefined;
  const query = { ladderId: competition.ladderId, season, limit: 100, withStats: false };
  return {
    of: competition,
    matches: await store.matches.list(query),
    pairCounts: await store.stats.pairs(competition),
    activity: await store.stats.activity(competition),
    figures: await store.stats.competition(competition, 10),
    standings: await store.seasons.standings(competition.season ?? ""),
  };
}

async function botReads(store: Store, botId: BotId): Promise<unknown> {
  const liveSeason = { ladderId: "public", season: "2026-10" };
  return {
    bot: await store.bots.byId(botId),
    versions: (await store.versions.list(botId, { limit: 100 }))?.toReversed(),
    ladders: await store.matches.laddersOf(botId),
    opponents: await store.stats.opponents(botId, liveSeason),
    places: await store.seasons.placesOf(botId),
    history: await store.stats.ratings({ ladderId: "public", botId, points: 100 }),
  };
}

export function onlyReleasedFields(actual: unknown, released: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(released))
    return actual.map((entryPart, at) => onlyReleasedFields(entryPart, released[at]));
  if (!isRecord(actual) || !isRecord(released)) return actual;
  const presentFields = Object.entries(actual).filter(([name]) => name in released);
  return Object.fromEntries(
    presentFields.map(([name, entryPart]) => [name, onlyReleasedFields(entryPart, released[name])]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
