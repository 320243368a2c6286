import assert from "node:assert/strict";
import { it } from "node:test";

import { sql } from "kysely";

import { firstTwo } from "#base/util/assert-defined.ts";
import { PRESEASON } from "#core/ladder/season.ts";
import { appliedSchema, migrate, NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { SCHEMA_22 } from "#data/migrations/schema-22.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import type { Store } from "#data/store/store.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
} from "./store-samples.ts";

const PLAYERS = 4;
const MATCHES = 60;
const DAY_S = 86_400;
/** The first 25 matches, one per day from 2026-01-07, were played before this month. */
const CREATED_AT = "2026-02-20T12:00:00.000Z";
const seasonOfDay = (number: number) => (number < 25 ? PRESEASON : "2026-02");

async function fillStore(store: Store): Promise<void> {
  await store.bots.add(sampleBot(3, { house: true }), "hash-3", null);
  await addSamplePlayers(store, PLAYERS);
  const games = new Map<string, number>();
  const addGame = (player: number, season: string) => {
    const key = `${player} ${season}`;
    games.set(key, (games.get(key) ?? 0) + 1);
    return games.get(key)!;
  };
  for (let number = 0; number < MATCHES; number += 1) {
    const players = [number % PLAYERS, (number + 1 + (number % 3)) % PLAYERS];
    const isVoid = number % 17 === 5;
    const season = seasonOfDay(number);
    const seats = players.map((player, seat) =>
      sampleSeat(player, {
        fighter: "AB"[seat]!,
        ratedGames: isVoid ? null : addGame(player, season),
      }),
    );
    await store.matches.save(
      sampleMatch(number, {
        seats,
        season,
        map: ["arena", "cross"][number % 2]!,
        started: sampleTime((6 + number) * DAY_S),
        ended: sampleTime((6 + number) * DAY_S + 60),
        finalTick: (number * 37) % 101,
        reason: number % 5 === 0 ? "timeout_hp" : "last_standing",
        winnerBotId: number % 7 === 0 ? null : sampleId("bot", players[number % 2]!),
        voided: isVoid,
        rated: !isVoid,
        stats: null,
      }),
    );
  }
}

/** The columns that the baseline stored, selected from the current schema. */
const BASELINE_COLUMNS = {
  bots: `select id, name, name_key, owner, substr(owner_id, 6) as owner_key, house, status, created,
    avatar from bots where house = 0
    union all select id, name, name_key, owner, owner_id, house, status, created, avatar
    from bots where house = 1`,
  versions: "select * from versions",
  matches: `select id, ladder_id, mode, map, seed, started, ended, duration_ms, final_tick, reason,
    (select bot_id from seats where match_id = id and seat = winner_seat) as winner_bot_id, voided,
    rated from matches`,
  seats: `select match_id, seat, bot_id, version_id, fighter, rating_before, rating_after, ladder_id,
    ended from seats`,
  match_documents: "select * from match_documents",
} as const;

async function copyToBaseline(source: Backend, target: Backend): Promise<void> {
  for (const [table, query] of Object.entries(BASELINE_COLUMNS)) {
    const { rows } = await sql.raw<never>(query).execute(source.database);
    await target.database
      .insertInto(table as "bots")
      .values(rows)
      .execute();
  }
}

async function readsOf(store: Store): Promise<unknown[]> {
  const reads: unknown[] = [await store.database.faults(), await store.matches.counts("public")];
  const { highlights: _, ...allTime } = await store.stats.ladder({
    ladderId: "public",
    rivalries: 10,
  });
  reads.push(allTime);
  reads.push(await store.stats.analytics({ from: "2026-01-01", to: "2026-12-31", limit: 10 }));
  for (const season of [PRESEASON, "2026-02"]) {
    const competition = { ladderId: "public", season };
    const { highlights, ...figures } = await store.stats.competition(competition, 10);
    const { opener, finale } = highlights;
    reads.push(
      await store.stats.pairs(competition),
      await store.stats.activity(competition),
      figures,
      [opener, finale],
    );
    reads.push(
      await store.matches.list({ ladderId: "public", season, limit: 100, withStats: false }),
    );
    const botId = sampleId("bot", 1);
    reads.push(
      await store.stats.opponents(botId, competition),
      await store.versions.latest(botId, 9, []),
    );
    reads.push(await store.stats.ratings({ ladderId: "public", botId, season, points: 100 }));
  }
  return structuredClone(reads);
}

/** Compares only ticks, because either of two equally long matches may be stored. */
async function ticksOf(store: Store, kind: "longest" | "quickest"): Promise<number | undefined> {
  const { highlights } = await store.stats.competition(
    { ladderId: "public", season: "2026-02" },
    1,
  );
  return (await store.matches.byId(highlights[kind] ?? ""))?.finalTick;
}

async function checkDataMigration(baseline: Backend, current: Backend): Promise<void> {
  await migrate(current, CREATED_AT);
  const expected = createStore(current);
  // A new database has an empty preseason that is already archived.
  await current.database.updateTable("seasons").set({ archived_at: null }).execute();
  await fillStore(expected);
  await migrate(baseline, CREATED_AT, [SCHEMA_22]);
  await copyToBaseline(current, baseline);
  await migrate(baseline, CREATED_AT);
  assert.equal(await appliedSchema(baseline.database), NEWEST_SCHEMA);
  const backfilled = createStore(baseline);
  assert.deepEqual(await readsOf(backfilled), await readsOf(expected));
  for (const kind of ["longest", "quickest"] as const)
    assert.equal(await ticksOf(backfilled, kind), await ticksOf(expected, kind));
  assert.deepEqual(await backfilled.seasons.list(), [
    {
      id: "2026-02",
      opensAt: "2026-02-01T00:00:00.000Z",
      closesAt: "2026-03-01T00:00:00.000Z",
      archivedAt: null,
    },
    {
      id: PRESEASON,
      opensAt: sampleTime(6 * DAY_S),
      closesAt: "2026-02-01T00:00:00.000Z",
      archivedAt: null,
    },
  ]);
}

/**
 * Creates a schema 23 database in which every match has statistics. One match's statistics are
 * damaged.
 */
async function storeWithStatistics(
  baseline: Backend,
): Promise<{ expected: Store; backfilled: Store }> {
  const current = sqliteBackend(sqliteDialect(":memory:", "write"));
  await migrate(current, CREATED_AT);
  const expected = createStore(current);
  await addSamplePlayers(expected, 2);
  for (let number = 0; number < MATCHES; number += 1)
    await expected.matches.save(sampleMatch(number, { finalTick: number }));
  await expected.matches.save(sampleMatch(MATCHES, { voided: true, rated: false, stats: null }));
  await expected.matches.save(sampleMatch(MATCHES + 1, { ended: sampleTime(0), stats: null }));
  await migrate(baseline, CREATED_AT, [SCHEMA_22]);
  await copyToBaseline(current, baseline);
  const bytes = new Uint8Array([1, 2, 3]);
  await baseline.database
    .updateTable("match_documents")
    .set({ stats: bytes } as never)
    .where("match_id", "=", sampleId("match", MATCHES + 1))
    .execute();
  await migrate(baseline, CREATED_AT);
  return { expected, backfilled: createStore(baseline) };
}

async function checkStatistics(baseline: Backend): Promise<void> {
  const { expected, backfilled } = await storeWithStatistics(baseline);
  const ids = [0, 1].map((number) => sampleId("version", number));
  const windows = [7, 500];
  const figures = async (store: Store) =>
    structuredClone(await Promise.all(windows.map((window) => store.stats.turns(ids, window))));
  assert.deepEqual(await figures(backfilled), [[], []]);
  assert.equal(await backfilled.stats.backfillTurns(7), 7);
  const [newestFigures, allFigures] = firstTwo(await figures(backfilled));
  assert.deepEqual(newestFigures, (await figures(expected))[0], "newest first");
  assert.equal(allFigures[0]!.matches, 7);
  const steps: number[] = [];
  while (steps.at(-1) !== 0) steps.push(await backfilled.stats.backfillTurns(40));
  assert.deepEqual(steps, [40, MATCHES + 1 - 47, 0]);
  assert.deepEqual(await figures(backfilled), await figures(expected));
}

it("backfills statistics on SQLite in batches, newest first, and treats damaged statistics as empty", async () => {
  await checkStatistics(sqliteBackend(sqliteDialect(":memory:", "write")));
});

it("backfills statistics on PostgreSQL in batches, newest first, and treats damaged statistics as empty", async () => {
  const server = await openEmbeddedPostgres();
  await checkStatistics(postgresBackend(server.dialect()));
  await server.close();
});

it("assigns SQLite matches to the preseason and the first month", async () => {
  const [baseline, current] = firstTwo(
    [":memory:", ":memory:"].map((path) => sqliteBackend(sqliteDialect(path, "write"))),
  );
  await checkDataMigration(baseline, current);
});

it("assigns PostgreSQL matches to the preseason and the first month", async () => {
  const server = await openEmbeddedPostgres();
  const current = sqliteBackend(sqliteDialect(":memory:", "write"));
  await checkDataMigration(postgresBackend(server.dialect()), current);
  await server.close();
});
