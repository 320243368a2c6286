import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { queueTwoBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore, memoryStores } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

/**
 * With these limits, a bot that isn't ready within a second loses, and a version is ranked after
 * one match.
 */
const LIMITS = { startup_s: 1, qualifying_games: 1 };
const WAVE_MS = 2100;

async function latestRankNames({ store }: TestArena) {
  const latest = await store.standings.latest("public");
  const bots = await store.bots.byIds(latest?.botIds ?? []);
  const nameById = new Map(bots.map(({ id, name }) => [id, name]));
  return [latest?.day, latest?.season, ...(latest?.botIds.map((id) => nameById.get(id)) ?? [])];
}

async function arenaAfterMatch(store: Store) {
  const arena = await testArena({ store, limits: LIMITS });
  const [winner, loser] = firstTwo(await queueTwoBots(arena));
  await arena.advanceUntil(() => winner.receivedOfType("hello").length === 1);
  winner.send({ type: "ready" });
  await arena.advanceUntil(() => loser.receivedOfType("end").length === 1);
  await arena.advanceTime(500);
  return arena;
}

test("daily ranks are recorded once a day, in the first wave", async () => {
  const store = memoryStore();
  const first = await testArena({ store, limits: LIMITS });
  await first.advanceTime(WAVE_MS);
  const today = first.clock.wall().toISOString().slice(0, 10);
  assert.deepEqual(await latestRankNames(first), [today, "2026-01"]);
  first.arena.stop();
  const arena = await arenaAfterMatch(store);
  await arena.advanceTime(WAVE_MS);
  assert.deepEqual(await latestRankNames(arena), [today, "2026-01"]);
  arena.clock.setWall("2026-01-20T23:59:57.000Z");
  await arena.advanceTime(WAVE_MS);
  assert.equal((await latestRankNames(arena))[0], "2026-01-20");
  await arena.advanceTime(2 * WAVE_MS);
  assert.deepEqual(await latestRankNames(arena), ["2026-01-21", "2026-01", "alpha", "beta"]);
  const latest = await store.standings.latest("public");
  assert.ok(latest!.notedAt < "2026-01-21T00:00:03");
  arena.arena.stop();
});

test("daily ranks are recorded at startup if midnight was missed", async () => {
  const openStore = memoryStores();
  const arena = await arenaAfterMatch(openStore());
  await arena.advanceTime(WAVE_MS);
  arena.arena.stop();
  const store = overrideStore(openStore(), {});
  const laterArena = await testArena({ store, limits: LIMITS });
  laterArena.clock.setWall("2026-01-24T15:30:00.000Z");
  await laterArena.advanceTime(WAVE_MS);
  assert.deepEqual(await latestRankNames(laterArena), ["2026-01-24", "2026-01", "alpha", "beta"]);
  laterArena.arena.stop();
});

test("daily ranks are empty at the start of a month", async () => {
  const arena = await arenaAfterMatch(memoryStore());
  arena.clock.setWall("2026-01-31T23:59:59.000Z");
  await arena.advanceTime(2 * WAVE_MS);
  assert.deepEqual(await latestRankNames(arena), ["2026-02-01", "2026-02"]);
  arena.arena.stop();
});

test("daily ranks are recorded in a later wave after a store failure", async () => {
  const store = memoryStore();
  let failures = 0;
  const failingNote: Store["standings"]["record"] = async (...values) => {
    if ((failures += 1) < 3) throw new StoreError("unavailable", "away");
    return store.standings.record(...values);
  };
  const arena = await testArena({
    store: overrideStore(store, { standings: { record: failingNote } }),
  });
  await arena.advanceTime(2 * WAVE_MS);
  assert.equal(await store.standings.latest("public"), null);
  assert.deepEqual(new Set(arena.log), new Set(["could not record daily ranks; retrying"]));
  await arena.advanceTime(WAVE_MS);
  assert.deepEqual((await store.standings.latest("public"))?.botIds, []);
  arena.arena.stop();
});
