import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { queuedPair, testArena } from "#testing/fixtures/test-arena.ts";
import type { TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore, memoryStores } from "#testing/store-cases/memory-store.ts";

/** A bot that is not ready in time loses; a version is ranked after its first game. */
const LIMITS = { startup_s: 1, qualifying_games: 1 };
const WAVE_MS = 2100;

async function namesAt({ store }: TestArena) {
  const latest = await store.standings.latest("public");
  const bots = await store.bots.byIds(latest?.botIds ?? []);
  const nameOf = new Map(bots.map(({ id, name }) => [id, name]));
  return [latest?.day, latest?.season, ...(latest?.botIds.map((id) => nameOf.get(id)) ?? [])];
}

/** An arena in which alpha has won against beta. */
async function playedArena(store: Store) {
  const arena = await testArena({ store, limits: LIMITS });
  const [one, other] = bothOf(await queuedPair(arena));
  await arena.until(() => one.told("hello").length === 1);
  one.say({ type: "ready" });
  await arena.until(() => other.told("end").length === 1);
  await arena.pass(500);
  return arena;
}

test("places are noted once a day, as the first wave of the day finds them", async () => {
  const store = memoryStore();
  const first = await testArena({ store, limits: LIMITS });
  await first.pass(WAVE_MS);
  const today = first.clock.wall().toISOString().slice(0, 10);
  assert.deepEqual(await namesAt(first), [today, "2026-01"]);
  first.arena.stop();
  const arena = await playedArena(store);
  await arena.pass(WAVE_MS);
  assert.deepEqual(await namesAt(arena), [today, "2026-01"]);
  arena.clock.setWall("2026-01-20T23:59:57.000Z");
  await arena.pass(WAVE_MS);
  assert.equal((await namesAt(arena))[0], "2026-01-20");
  await arena.pass(2 * WAVE_MS);
  assert.deepEqual(await namesAt(arena), ["2026-01-21", "2026-01", "alpha", "beta"]);
  const latest = await store.standings.latest("public");
  assert.ok(latest!.notedAt < "2026-01-21T00:00:03");
  arena.arena.stop();
});

test("places of a midnight without a server are noted at its next start", async () => {
  const open = memoryStores();
  const arena = await playedArena(open());
  await arena.pass(WAVE_MS);
  arena.arena.stop();
  const store = changedStore(open(), {});
  const later = await testArena({ store, limits: LIMITS });
  later.clock.setWall("2026-01-24T15:30:00.000Z");
  await later.pass(WAVE_MS);
  assert.deepEqual(await namesAt(later), ["2026-01-24", "2026-01", "alpha", "beta"]);
  later.arena.stop();
});

test("a month begins with nobody noted", async () => {
  const arena = await playedArena(memoryStore());
  arena.clock.setWall("2026-01-31T23:59:59.000Z");
  await arena.pass(2 * WAVE_MS);
  assert.deepEqual(await namesAt(arena), ["2026-02-01", "2026-02"]);
  arena.arena.stop();
});

test("places that could not be stored are noted by a later wave", async () => {
  const inner = memoryStore();
  let failures = 0;
  const note: Store["standings"]["note"] = async (...values) => {
    if ((failures += 1) < 3) throw new StoreError("unavailable", "away");
    return inner.standings.note(...values);
  };
  const arena = await testArena({ store: changedStore(inner, { standings: { note } }) });
  await arena.pass(2 * WAVE_MS);
  assert.equal(await inner.standings.latest("public"), null);
  assert.deepEqual(new Set(arena.log), new Set(["the places of the day could not be noted yet"]));
  await arena.pass(WAVE_MS);
  assert.deepEqual((await inner.standings.latest("public"))?.botIds, []);
  arena.arena.stop();
});
