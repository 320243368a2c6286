// Lists are read through an index, however many matches there are.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { sql } from "kysely";
import type { CompiledQuery, Dialect } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { faultyDialect } from "./faulty-dialect.ts";
import { openEmbeddedPostgres } from "./pglite.ts";
import { fillMatches } from "./store-fill.ts";
import {
  addSamplePlayers,
  sampleAudit,
  SAMPLE_SEASON,
  sampleId,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";

const STORED = 20_000;
const BOTS = 40;
const LIST: MatchQuery = { ladderId: "public", limit: 50, withStats: false };
const OLD = sampleId("match", STORED / 2);
const LATE = sampleId("match", STORED - STORED / 8);
const BOT = sampleId("bot", 3);
const VERSION = sampleId("version", 3);

const HISTORY = { ladderId: "public", botId: BOT, points: 1000 };

const RECORD = { ladderId: "public", botId: BOT };

const ENTRY = sampleAudit(STORED / 2);

const LATE_SPAN = {
  ladderId: "public",
  opensAt: sampleTime(STORED - 500),
  closesAt: sampleTime(STORED),
};

const GAMES = {
  botId: BOT,
  ladderId: "public",
  from: { ended: LATE_SPAN.opensAt, matchId: null },
  before: LATE_SPAN.closesAt,
  withTurns: false,
  most: 100,
};

type Read = [name: string, index: RegExp, run: (store: Store) => Promise<unknown>];

const READS: Read[] = [
  ["a ladder's list", /matches_by_end/, (store) => store.matches.list(LIST)],
  [
    "a ladder's older page with statistics",
    /matches_by_end/,
    (store) => store.matches.list({ ...LIST, before: OLD, withStats: true }),
  ],
  ["a bot's list", /seats_by_bot/, (store) => store.matches.list({ ...LIST, botId: BOT })],
  [
    "a bot's older page",
    /seats_by_bot/,
    (store) => store.matches.list({ ...LIST, botId: BOT, before: OLD }),
  ],
  [
    "a bot's newer page",
    /seats_by_bot/,
    (store) => store.matches.list({ ...LIST, botId: BOT, after: OLD }),
  ],
  [
    "a bot's list narrowed in every way",
    /seats_by_bot/,
    (store) =>
      store.matches.list({
        ...LIST,
        botId: BOT,
        versionId: VERSION,
        opponentId: sampleId("bot", 4),
        map: "arena",
        result: "W",
      }),
  ],
  [
    "a season's list",
    /matches_by_end/,
    (store) => store.matches.list({ ...LIST, season: SAMPLE_SEASON, before: LATE }),
  ],
  [
    "a bot's list of a season",
    /seats_by_bot/,
    (store) => store.matches.list({ ...LIST, season: SAMPLE_SEASON, botId: BOT }),
  ],
  [
    "a bot's rating history in a season",
    /seats_by_bot/,
    (store) => store.figures.ratings({ ...HISTORY, season: SAMPLE_SEASON }),
  ],
  [
    "a bot's latest rating history",
    /seats_by_bot/,
    (store) => store.figures.ratings({ ...HISTORY, since: sampleTime(STORED - 50) }),
  ],
  [
    "a bot's record by opponent",
    /seats_by_bot/,
    // Few, because a planner rightly reads all of a small table to find half of it.
    (store) => store.figures.recentOpponents({ ...RECORD, matches: 50, opponents: 100 }),
  ],
  [
    "a bot's record by opponent in a season",
    /seats_by_bot/,
    (store) =>
      store.figures.recentOpponents({
        ...RECORD,
        season: SAMPLE_SEASON,
        matches: 500,
        opponents: 100,
      }),
  ],
  [
    "a version's lost games",
    /seats_by_bot/,
    (store) =>
      store.figures.losses({
        ...RECORD,
        season: SAMPLE_SEASON,
        versionId: VERSION,
        before: { ended: sampleTime(STORED), id: OLD },
        games: 500,
        losses: 50,
      }),
  ],
  [
    "a bot's play",
    /bot_play/,
    (store) => store.figures.play({ ladderId: "public", season: SAMPLE_SEASON }, BOT),
  ],
  [
    "a season's figures",
    /matches_by_end/,
    (store) => store.figures.competition({ ladderId: "public", season: SAMPLE_SEASON }, 10),
  ],
  [
    "the figures of all seasons",
    // PostgreSQL reads an empty table as it likes.
    /ever_rivalries|ever_rivals_pkey|Seq Scan on ever_rivals/,
    (store) => store.figures.ladder({ ladderId: "public", rivalries: 10 }),
  ],
  ["one match", /matches_pkey|PRIMARY KEY/, (store) => store.matches.byId(OLD)],
  [
    "a bot's latest versions",
    /seats_by_bot/,
    (store) => store.versions.latest(sampleId("bot", 0), 1, []),
  ],
  ["a bot's current version", /seats_by_bot/, (store) => store.versions.current(BOT, "public")],
  ["played ladders", /seats_by_bot/, (store) => store.matches.laddersOf(BOT)],
  ["a version's turns", /version_turns/, (store) => store.figures.turns([VERSION], 500)],
  ["whether a replay is there", /seats_by_match|PRIMARY KEY/, (store) => store.replays.has(OLD)],
  ["replays to let go of", /seats_by_bot/, (store) => store.replays.release([BOT], 200, 20)],
  [
    "replays of a ladder to let go of",
    /matches_by_end/,
    (store) => store.replays.hold([{ ladderId: "public", keep: 100 }], 20),
  ],
  [
    "how many replays bots would let go of",
    /seats_by_bot/,
    (store) => store.replays.beyond({ botIds: [BOT], ladderIds: ["public", "cup"], keep: 999 }),
  ],
  [
    "which replays bots would let go of",
    /seats_by_match|PRIMARY KEY|seats_pkey/,
    (store) => store.replays.beyond({ botIds: [BOT], ladderIds: ["public"], keep: 100 }),
  ],
  [
    "how many replays of casual games would be let go of",
    /casual_matches/,
    (store) => store.replays.beyond({ casual: 1000 }),
  ],
  ["ladders of casual games", /casual_seats/, (store) => store.matches.laddersOf(BOT)],
  [
    "replays of casual games to let go of",
    /casual_matches/,
    (store) => store.replays.releaseCasual(1000, 20),
  ],
  ["whether a bot has played", /seats_by_bot/, (store) => store.bots.delete(BOT)],
  [
    "the casual games of a bot that goes",
    /casual_seats/,
    (store) => store.bots.delete(sampleId("bot", STORED)),
  ],
  ["a bot's games for its progress", /seats_by_bot/, (store) => store.progress.games(GAMES)],
  [
    "a bot's further games for its progress, with its turns",
    /seats_by_bot[^]*(?:SEARCH t USING|version_turns)/,
    (store) =>
      store.progress.games({
        ...GAMES,
        from: { ended: sampleTime(STORED - 50), matchId: OLD },
        withTurns: true,
      }),
  ],
  [
    "a bot's games before an event",
    /seats_by_bot/,
    (store) => store.progress.former(BOT, LATE_SPAN),
  ],
  ["bots that played in an event", /seats_by_bot/, (s) => s.progress.players(LATE_SPAN, null, 50)],
  ["who took part in an event", /seats_by_bot/, (store) => store.progress.participants(LATE_SPAN)],
  [
    "who took part in an event of a ladder",
    /seats_by_bot/,
    (store) => store.progress.participants({ ...LATE_SPAN, ladderId: "cup" }),
  ],
  ["the newest entries of the audit", /audit_by_time/, (store) => store.audit.list({ limit: 50 })],
  [
    "an older page of the audit",
    /audit_by_time/,
    (store) => store.audit.list({ limit: 50, before: ENTRY }),
  ],
  [
    "a page of some kinds of the audit",
    /audit_by_kind/,
    (store) => store.audit.list({ kind: ["bot.banned", "bot.claimed"], limit: 50, before: ENTRY }),
  ],
  [
    "one entry of the audit",
    /PRIMARY KEY|audit_\w*pkey|autoindex_audit/,
    (store) => store.audit.byId(ENTRY.id),
  ],
  [
    "readers whose bots played",
    // PostgreSQL reads a small or empty table as it likes.
    /bots_by_owner|Seq Scan on (?:accounts|bots|daily_bots)/,
    (store) => store.readers.playing(["2026-01-05"], { after: null, most: 9 }),
  ],
  [
    "readers of public",
    /version_activity_by_bot|Seq Scan on (?:accounts|bots|version_activity)/,
    (store) => store.readers.onLadder("public", { after: null, most: 9 }),
  ],
  [
    "a bot's results of a span",
    /seats_by_bot/,
    (store) => store.readers.results(BOT, { from: LATE_SPAN.opensAt, until: LATE_SPAN.closesAt }),
  ],
  [
    "the latest match that a fault voided",
    /matches_by_end/,
    (store) => store.readers.latestFault(["public"], LATE_SPAN.opensAt),
  ],
  ["late starts", /matches_by_end/, (store) => store.matches.startsSince(sampleTime(STORED - 50))],
];

/** Neither the steps of a transaction nor their savepoints have a plan. */
const EXPLAINED = /^\s*(with|select|insert|update|delete)\b/i;

/** A read of a table of matches without an index. */
const WHOLE_TABLE =
  /SCAN (m|s|d|o|matches|seats|version_turns)\b|SCAN audit"|Seq Scan on (matches|seats|match_documents|audit)/;

async function checkPlans(
  dialect: Dialect,
  toBackend: (dialect: Dialect) => Backend,
  explain: string,
  test: (name: string, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const seen: CompiledQuery[] = [];
  const backend = toBackend(faultyDialect(dialect, { step: (query) => void seen.push(query) }));
  await migrate(backend);
  const store = storeOf(backend);
  await addSamplePlayers(store, BOTS);
  const second = { id: sampleId("version", STORED), botId: sampleId("bot", 0) };
  await store.versions.add(sampleVersion(1, second), null);
  for (let at = 0; at < STORED; at += 500)
    await store.audit.add(Array.from({ length: 500 }, (_, more) => sampleAudit(at + more)));
  await fillMatches(backend.database, STORED, BOTS, new Uint8Array(8));
  await sql`analyze`.execute(backend.database);
  for (const [name, index, run] of READS) {
    await test(name, async () => {
      seen.length = 0;
      await run(store);
      const plans: string[] = [];
      for (const query of seen.filter(({ sql: text }) => EXPLAINED.test(text))) {
        const explained = { ...query, sql: `${explain} ${query.sql}` };
        const { rows } = await backend.database.executeQuery(explained);
        plans.push(...rows.map((row) => JSON.stringify(row)));
      }
      assert.match(plans.join("\n"), index);
      assert.doesNotMatch(plans.join("\n"), WHOLE_TABLE);
    });
  }
  await store.close();
}

it("reads lists through indexes over SQLite", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "bout-plans-"));
  const dialect = sqliteDialect(join(directory, "bout.db"), "write");
  await checkPlans(dialect, sqliteBackend, "explain query plan", (name, run) =>
    context.test(name, run),
  );
  await rm(directory, { recursive: true });
});

it("reads lists through indexes over PostgreSQL", async (context) => {
  const server = await openEmbeddedPostgres();
  await checkPlans(server.dialect(), postgresBackend, "explain", (name, run) =>
    context.test(name, run),
  );
  await server.close();
});
