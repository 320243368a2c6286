// Checks that lists are read through an index, so that reads stay fast with many matches.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { sql } from "kysely";
import type { CompiledQuery, Dialect } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
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

const STORED_MATCHES = 20_000;
const BOTS = 40;
const LIST_QUERY: MatchQuery = { ladderId: "public", limit: 50, withStats: false };
const OLD_MATCH = sampleId("match", STORED_MATCHES / 2);
const LATE_MATCH = sampleId("match", STORED_MATCHES - STORED_MATCHES / 8);
const BOT_ID = sampleId("bot", 3);
const VERSION_ID = sampleId("version", 3);

const HISTORY_QUERY = { ladderId: "public", botId: BOT_ID, points: 1000 };

const RECORD_QUERY = { ladderId: "public", botId: BOT_ID };

const AUDIT_ENTRY = sampleAudit(STORED_MATCHES / 2);

const LATE_WINDOW = {
  ladderId: "public",
  opensAt: sampleTime(STORED_MATCHES - 500),
  closesAt: sampleTime(STORED_MATCHES),
};

const GAMES_QUERY = {
  botId: BOT_ID,
  ladderId: "public",
  from: { ended: LATE_WINDOW.opensAt, matchId: null },
  before: LATE_WINDOW.closesAt,
  withTurns: false,
  limit: 100,
};

type PlannedRead = [name: string, index: RegExp, run: (store: Store) => Promise<unknown>];

const READS: PlannedRead[] = [
  ["a ladder's list", /matches_by_end/, (store) => store.matches.list(LIST_QUERY)],
  [
    "a ladder's older page with statistics",
    /matches_by_end/,
    (store) => store.matches.list({ ...LIST_QUERY, before: OLD_MATCH, withStats: true }),
  ],
  ["a bot's list", /seats_by_bot/, (store) => store.matches.list({ ...LIST_QUERY, botId: BOT_ID })],
  [
    "a bot's older page",
    /seats_by_bot/,
    (store) => store.matches.list({ ...LIST_QUERY, botId: BOT_ID, before: OLD_MATCH }),
  ],
  [
    "a bot's newer page",
    /seats_by_bot/,
    (store) => store.matches.list({ ...LIST_QUERY, botId: BOT_ID, after: OLD_MATCH }),
  ],
  [
    "a bot's list with all filters",
    /seats_by_bot/,
    (store) =>
      store.matches.list({
        ...LIST_QUERY,
        botId: BOT_ID,
        versionId: VERSION_ID,
        opponentId: sampleId("bot", 4),
        map: "arena",
        result: "W",
      }),
  ],
  [
    "a season's list",
    /matches_by_end/,
    (store) => store.matches.list({ ...LIST_QUERY, season: SAMPLE_SEASON, before: LATE_MATCH }),
  ],
  [
    "a bot's list of a season",
    /seats_by_bot/,
    (store) => store.matches.list({ ...LIST_QUERY, season: SAMPLE_SEASON, botId: BOT_ID }),
  ],
  [
    "a bot's rating history in a season",
    /seats_by_bot/,
    (store) => store.stats.ratings({ ...HISTORY_QUERY, season: SAMPLE_SEASON }),
  ],
  [
    "a bot's latest rating history",
    /seats_by_bot/,
    (store) => store.stats.ratings({ ...HISTORY_QUERY, since: sampleTime(STORED_MATCHES - 50) }),
  ],
  [
    "a bot's record by opponent",
    /seats_by_bot/,
    // The limit is low, because planners scan a small table if half of its rows match.
    (store) => store.stats.recentOpponents({ ...RECORD_QUERY, matches: 50, opponents: 100 }),
  ],
  [
    "a bot's record by opponent in a season",
    /seats_by_bot/,
    (store) =>
      store.stats.recentOpponents({
        ...RECORD_QUERY,
        season: SAMPLE_SEASON,
        matches: 500,
        opponents: 100,
      }),
  ],
  [
    "a version's lost games",
    /seats_by_bot/,
    (store) =>
      store.stats.losses({
        ...RECORD_QUERY,
        season: SAMPLE_SEASON,
        versionId: VERSION_ID,
        before: { ended: sampleTime(STORED_MATCHES), id: OLD_MATCH },
        games: 500,
        losses: 50,
      }),
  ],
  [
    "a bot's play",
    /bot_play/,
    (store) => store.stats.play({ ladderId: "public", season: SAMPLE_SEASON }, BOT_ID),
  ],
  [
    "a season's figures",
    /matches_by_end/,
    (store) => store.stats.competition({ ladderId: "public", season: SAMPLE_SEASON }, 10),
  ],
  [
    "statistics of all seasons",
    // PostgreSQL may scan an empty table.
    /ever_rivalries|ever_rivals_pkey|Seq Scan on ever_rivals/,
    (store) => store.stats.ladder({ ladderId: "public", rivalries: 10 }),
  ],
  ["one match", /matches_pkey|PRIMARY KEY/, (store) => store.matches.byId(OLD_MATCH)],
  [
    "a bot's latest versions",
    /seats_by_bot/,
    (store) => store.versions.latest(sampleId("bot", 0), 1, []),
  ],
  ["a bot's current version", /seats_by_bot/, (store) => store.versions.current(BOT_ID, "public")],
  ["played ladders", /seats_by_bot/, (store) => store.matches.laddersOf(BOT_ID)],
  ["a version's turns", /version_turns/, (store) => store.stats.turns([VERSION_ID], 500)],
  [
    "whether a replay exists",
    /seats_by_match|PRIMARY KEY/,
    (store) => store.replays.has(OLD_MATCH),
  ],
  ["replays to release", /seats_by_bot/, (store) => store.replays.release([BOT_ID], 200, 20)],
  [
    "replays of a ladder to release",
    /matches_by_end/,
    (store) => store.replays.retainForLadders([{ ladderId: "public", keep: 100 }], 20),
  ],
  [
    "number of replays that bots would release",
    /seats_by_bot/,
    (store) =>
      store.replays.listExcess({ botIds: [BOT_ID], ladderIds: ["public", "cup"], keep: 999 }),
  ],
  [
    "replays that bots would release",
    /seats_by_match|PRIMARY KEY|seats_pkey/,
    (store) => store.replays.listExcess({ botIds: [BOT_ID], ladderIds: ["public"], keep: 100 }),
  ],
  [
    "number of casual replays to release",
    /casual_matches/,
    (store) => store.replays.listExcess({ casual: 1000 }),
  ],
  ["ladders of casual games", /casual_seats/, (store) => store.matches.laddersOf(BOT_ID)],
  ["casual replays to release", /casual_matches/, (store) => store.replays.releaseCasual(1000, 20)],
  ["whether a bot has played", /seats_by_bot/, (store) => store.bots.delete(BOT_ID)],
  [
    "casual games of a deleted bot",
    /casual_seats/,
    (store) => store.bots.delete(sampleId("bot", STORED_MATCHES)),
  ],
  [
    "a bot's games for event progress",
    /seats_by_bot/,
    (store) => store.progress.games(GAMES_QUERY),
  ],
  [
    "a bot's later games for event progress, with turns",
    /seats_by_bot[^]*(?:SEARCH t USING|version_turns)/,
    (store) =>
      store.progress.games({
        ...GAMES_QUERY,
        from: { ended: sampleTime(STORED_MATCHES - 50), matchId: OLD_MATCH },
        withTurns: true,
      }),
  ],
  [
    "a bot's games before an event",
    /seats_by_bot/,
    (store) => store.progress.countByVersion(BOT_ID, LATE_WINDOW),
  ],
  [
    "bots that played during an event",
    /seats_by_bot/,
    (store) => store.progress.players(LATE_WINDOW, null, 50),
  ],
  ["participants of an event", /seats_by_bot/, (store) => store.progress.participants(LATE_WINDOW)],
  [
    "participants of a ladder's event",
    /seats_by_bot/,
    (store) => store.progress.participants({ ...LATE_WINDOW, ladderId: "cup" }),
  ],
  ["newest audit entries", /audit_by_time/, (store) => store.audit.list({ limit: 50 })],
  [
    "older page of the audit log",
    /audit_by_time/,
    (store) => store.audit.list({ limit: 50, before: AUDIT_ENTRY }),
  ],
  [
    "page of some kinds of the audit log",
    /audit_by_kind/,
    (store) =>
      store.audit.list({ kind: ["bot.banned", "bot.claimed"], limit: 50, before: AUDIT_ENTRY }),
  ],
  [
    "one audit entry",
    /PRIMARY KEY|audit_\w*pkey|autoindex_audit/,
    (store) => store.audit.byId(AUDIT_ENTRY.id),
  ],
  [
    "recipients whose bots played",
    // PostgreSQL may scan a small or empty table.
    /bots_by_owner|Seq Scan on (?:accounts|bots|daily_bots)/,
    (store) => store.recipients.withPlayedBots(["2026-01-05"], { after: null, limit: 9 }),
  ],
  [
    "recipients on public",
    /version_activity_by_bot|Seq Scan on (?:accounts|bots|version_activity)/,
    (store) => store.recipients.onLadder("public", { after: null, limit: 9 }),
  ],
  [
    "a bot's results in a span",
    /seats_by_bot/,
    (store) =>
      store.recipients.results(BOT_ID, { from: LATE_WINDOW.opensAt, until: LATE_WINDOW.closesAt }),
  ],
  [
    "the latest match voided by a server fault",
    /matches_by_end/,
    (store) => store.recipients.latestServerFault(["public"], LATE_WINDOW.opensAt),
  ],
  [
    "late starts",
    /matches_by_end/,
    (store) => store.matches.startsSince(sampleTime(STORED_MATCHES - 50)),
  ],
];

/** Transaction statements and savepoints have no plan. */
const EXPLAINABLE = /^\s*(with|select|insert|update|delete)\b/i;

const FULL_SCAN =
  /SCAN (m|s|d|o|matches|seats|version_turns)\b|SCAN audit"|Seq Scan on (matches|seats|match_documents|audit)/;

async function checkPlans(
  dialect: Dialect,
  toBackend: (dialect: Dialect) => Backend,
  explain: string,
  test: (name: string, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const queries: CompiledQuery[] = [];
  const backend = toBackend(faultyDialect(dialect, { step: (query) => void queries.push(query) }));
  await migrate(backend);
  const store = createStore(backend);
  await addSamplePlayers(store, BOTS);
  const second = { id: sampleId("version", STORED_MATCHES), botId: sampleId("bot", 0) };
  await store.versions.add(sampleVersion(1, second), null);
  for (let at = 0; at < STORED_MATCHES; at += 500)
    await store.audit.add(
      Array.from({ length: 500 }, (_, otherQueries) => sampleAudit(at + otherQueries)),
    );
  await fillMatches(backend.database, STORED_MATCHES, BOTS, new Uint8Array(8));
  await sql`analyze`.execute(backend.database);
  for (const [name, index, run] of READS) {
    await test(name, async () => {
      queries.length = 0;
      await run(store);
      const plans: string[] = [];
      for (const query of queries.filter(({ sql: text }) => EXPLAINABLE.test(text))) {
        const explained = { ...query, sql: `${explain} ${query.sql}` };
        const { rows } = await backend.database.executeQuery(explained);
        plans.push(...rows.map((row) => JSON.stringify(row)));
      }
      assert.match(plans.join("\n"), index);
      assert.doesNotMatch(plans.join("\n"), FULL_SCAN);
    });
  }
  await store.close();
}

it("reads lists through indexes on SQLite", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "bout-plans-"));
  const dialect = sqliteDialect(join(directory, "bout.db"), "write");
  await checkPlans(dialect, sqliteBackend, "explain query plan", (name, run) =>
    context.test(name, run),
  );
  await rm(directory, { recursive: true });
});

it("reads lists through indexes on PostgreSQL", async (context) => {
  const server = await openEmbeddedPostgres();
  await checkPlans(server.dialect(), postgresBackend, "explain", (name, run) =>
    context.test(name, run),
  );
  await server.close();
});
