import assert from "node:assert/strict";
import { it } from "node:test";

// An upgraded database equals one that always had the present schema.
import { sql } from "kysely";

import { bothOf } from "#base/units/sure.ts";
import { PRESEASON } from "#core/ladder/season.ts";
import { appliedSchema, migrate, NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { BASELINE } from "#data/migrations/schema-22.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
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
/** The first 25 matches, one a day from 2026-01-07 on, precede this month. */
const MADE = "2026-02-20T12:00:00.000Z";
const seasonOfDay = (number: number) => (number < 25 ? PRESEASON : "2026-02");

/** Fills a store of the present schema; `season` gives the season of its matches. */
async function fill(store: Store): Promise<void> {
  await store.bots.add(sampleBot(3, { house: true }), "hash-3", null);
  await addSamplePlayers(store, PLAYERS);
  const games = new Map<string, number>();
  const countGame = (player: number, season: string) => {
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
        ratedGames: isVoid ? null : countGame(player, season),
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

/** What the baseline kept of the present rows. */
const OLDER = {
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

/** Copies the rows of one database into another that has no seasons yet. */
async function copyToBaseline(from: Backend, to: Backend): Promise<void> {
  for (const [table, query] of Object.entries(OLDER)) {
    const { rows } = await sql.raw<never>(query).execute(from.database);
    await to.database
      .insertInto(table as "bots")
      .values(rows)
      .execute();
  }
}

async function readsOf(store: Store): Promise<unknown[]> {
  const reads: unknown[] = [await store.database.faults(), await store.matches.counts("public")];
  const { highlights: _, ...ever } = await store.figures.ladder({
    ladderId: "public",
    rivalries: 10,
  });
  reads.push(ever);
  reads.push(await store.figures.analytics({ from: "2026-01-01", to: "2026-12-31", most: 10 }));
  for (const season of [PRESEASON, "2026-02"]) {
    const of = { ladderId: "public", season };
    const { highlights, ...figures } = await store.figures.competition(of, 10);
    const { opener, finale } = highlights;
    reads.push(await store.figures.pairs(of), await store.figures.activity(of), figures, [
      opener,
      finale,
    ]);
    reads.push(
      await store.matches.list({ ladderId: "public", season, limit: 100, withStats: false }),
    );
    const botId = sampleId("bot", 1);
    reads.push(await store.figures.opponents(botId, of), await store.versions.latest(botId, 9, []));
    reads.push(await store.figures.ratings({ ladderId: "public", botId, season, points: 100 }));
  }
  return structuredClone(reads);
}

/** Compares ticks, because among equal matches another one may have been kept. */
async function ticksOf(store: Store, kind: "longest" | "quickest"): Promise<number | undefined> {
  const { highlights } = await store.figures.competition(
    { ladderId: "public", season: "2026-02" },
    1,
  );
  return (await store.matches.byId(highlights[kind] ?? ""))?.finalTick;
}

async function checkCarryOver(older: Backend, today: Backend): Promise<void> {
  await migrate(today, MADE);
  const expected = storeOf(today);
  // A new database has an empty preseason, which is over.
  await today.database.updateTable("seasons").set({ archived_at: null }).execute();
  await fill(expected);
  await migrate(older, MADE, [BASELINE]);
  await copyToBaseline(today, older);
  await migrate(older, MADE);
  assert.equal(await appliedSchema(older.database), NEWEST_SCHEMA);
  const carried = storeOf(older);
  assert.deepEqual(await readsOf(carried), await readsOf(expected));
  for (const kind of ["longest", "quickest"] as const)
    assert.equal(await ticksOf(carried, kind), await ticksOf(expected, kind));
  assert.deepEqual(await carried.seasons.list(), [
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

/** A database of schema 23 with statistics of all matches, one of them damaged. */
async function withStatistics(older: Backend): Promise<{ expected: Store; carried: Store }> {
  const today = sqliteBackend(sqliteDialect(":memory:", "write"));
  await migrate(today, MADE);
  const expected = storeOf(today);
  await addSamplePlayers(expected, 2);
  for (let number = 0; number < MATCHES; number += 1)
    await expected.matches.save(sampleMatch(number, { finalTick: number }));
  await expected.matches.save(sampleMatch(MATCHES, { voided: true, rated: false, stats: null }));
  await expected.matches.save(sampleMatch(MATCHES + 1, { ended: sampleTime(0), stats: null }));
  await migrate(older, MADE, [BASELINE]);
  await copyToBaseline(today, older);
  const bytes = new Uint8Array([1, 2, 3]);
  await older.database
    .updateTable("match_documents")
    .set({ stats: bytes } as never)
    .where("match_id", "=", sampleId("match", MATCHES + 1))
    .execute();
  await migrate(older, MADE);
  return { expected, carried: storeOf(older) };
}

async function checkStatistics(older: Backend): Promise<void> {
  const { expected, carried } = await withStatistics(older);
  const ids = [0, 1].map((number) => sampleId("version", number));
  const windows = [7, 500];
  const figures = async (store: Store) =>
    structuredClone(await Promise.all(windows.map((window) => store.figures.turns(ids, window))));
  assert.deepEqual(await figures(carried), [[], []]);
  assert.equal(await carried.figures.carryTurns(7), 7);
  const [newest, all] = bothOf(await figures(carried));
  assert.deepEqual(newest, (await figures(expected))[0], "the newest come first");
  assert.equal(all[0]!.matches, 7);
  const steps: number[] = [];
  while (steps.at(-1) !== 0) steps.push(await carried.figures.carryTurns(40));
  assert.deepEqual(steps, [40, MATCHES + 1 - 47, 0]);
  assert.deepEqual(await figures(carried), await figures(expected));
}

it("carries older statistics over SQLite in steps, newest first, and a damaged one as empty", async () => {
  await checkStatistics(sqliteBackend(sqliteDialect(":memory:", "write")));
});

it("carries older statistics over PostgreSQL in steps, newest first, and a damaged one as empty", async () => {
  const server = await openEmbeddedPostgres();
  await checkStatistics(postgresBackend(server.dialect()));
  await server.close();
});

it("carries matches over SQLite into the preseason and the first month", async () => {
  const [older, today] = bothOf(
    [":memory:", ":memory:"].map((path) => sqliteBackend(sqliteDialect(path, "write"))),
  );
  await checkCarryOver(older, today);
});

it("carries matches over PostgreSQL into the preseason and the first month", async () => {
  const server = await openEmbeddedPostgres();
  const today = sqliteBackend(sqliteDialect(":memory:", "write"));
  await checkCarryOver(postgresBackend(server.dialect()), today);
  await server.close();
});
