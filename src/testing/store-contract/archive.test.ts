// Archiving a season writes its final standings and archive time atomically and doesn't touch its
// matches.
import assert from "node:assert/strict";
import { it } from "node:test";

import type { Dialect } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";

import { faultyDialect } from "./faulty-dialect.ts";
import { openEmbeddedPostgres } from "./pglite.ts";
import { playersOf } from "./store-fill.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLE_SEASON,
  SAMPLES_CREATED_AT,
  sampleSeat,
} from "./store-samples.ts";

const BOTS = 120;
const MATCHES = 240;

const places: FinalStanding[] = Array.from({ length: BOTS }, (_, number) => {
  const { id: botId, name, owner, house } = sampleBot(number);
  const result = { wins: 1, draws: 1, losses: 1, rating: 1500, deviation: 50 };
  const versionId = sampleId("version", number);
  return { rank: number + 1, botId, versionId, name, owner, house, label: "v1", ...result };
});

async function playSeason(store: Store): Promise<void> {
  await addSamplePlayers(store, BOTS);
  const seatsOf = (number: number) => {
    const [first, second] = playersOf(number, BOTS);
    return [sampleSeat(first), sampleSeat(second, { fighter: "B" })];
  };
  await Promise.all(
    Array.from({ length: MATCHES }, (_, number) =>
      store.matches.save(sampleMatch(number, { winnerSeat: null, seats: seatsOf(number) })),
    ),
  );
}

async function readArchive(store: Store): Promise<[isArchived: boolean, places: number]> {
  const season = (await store.seasons.list()).find(({ id }) => id === SAMPLE_SEASON);
  const standings = await store.seasons.standings(SAMPLE_SEASON);
  return [season?.archivedAt !== null, standings.length];
}

async function checkArchiving(
  dialect: Dialect,
  toBackend: (dialect: Dialect) => Backend,
): Promise<void> {
  const steps: string[] = [];
  let failing = Number.POSITIVE_INFINITY;
  const step = ({ sql }: { sql: string }) => {
    steps.push(sql);
    if (steps.length === failing) throw new Error("the disk is gone");
  };
  const backend = toBackend(faultyDialect(dialect, { step }));
  await migrate(backend, SAMPLES_CREATED_AT);
  const store = createStore(backend);
  await playSeason(store);
  const ever = await store.stats.ladder({ ladderId: "public", rivalries: 10 });
  let isDone = false;
  for (let at = 1; !isDone; at += 1) {
    [steps.length, failing] = [0, at];
    isDone = await store.seasons
      .archive(SAMPLE_SEASON, SAMPLES_CREATED_AT, places)
      .catch(() => false);
    failing = Number.POSITIVE_INFINITY;
    if (!isDone) assert.deepEqual(await readArchive(store), [false, 0], `step ${at} failed`);
  }
  assert.deepEqual(await readArchive(store), [true, BOTS]);
  assert.ok(steps.length < BOTS / 10, `${steps.length} steps`);
  assert.deepEqual(await store.stats.ladder({ ladderId: "public", rivalries: 10 }), ever);
  assert.deepEqual(await store.database.faults(), []);
  await store.close();
}

it("archives a season atomically on SQLite", async () => {
  await checkArchiving(sqliteDialect(":memory:", "write"), sqliteBackend);
});

it("archives a season atomically on PostgreSQL", async () => {
  const server = await openEmbeddedPostgres();
  await checkArchiving(server.dialect(), postgresBackend);
  await server.close();
});
