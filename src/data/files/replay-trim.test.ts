import assert from "node:assert/strict";
import { it } from "node:test";

import { memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleTime,
} from "#testing/store-cases/store-samples.ts";

import { countBeyond, trimReplays } from "./replay-trim.ts";

const MATCHES = 60;
const KEPT = 3;
const KEPT_CASUAL = 5;
/** Match 0, the first one of the ladder. */
const HIGHLIGHTS = 1;
const ALLOWANCES = { perBot: KEPT, casual: KEPT_CASUAL, held: [] };

const idOf = (number: number): string => sampleId("match", number);

const NOTHING = { removed: 0, bytes: 0 };

/** Two bots whose even-numbered matches are ranked and whose odd-numbered ones are practice. */
async function played() {
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  for (let number = 0; number < MATCHES; number += 1) {
    const practice = { mode: "practice", rated: false, unratedReason: "mode" } as const;
    const ended = sampleTime(number);
    await store.matches.save(sampleMatch(number, { ended, ...(number % 2 === 1 && practice) }));
  }
  const removed: string[] = [];
  const replays = { remove: async (id: string) => (removed.push(id), 7) };
  return { deps: { store, replays }, removed };
}

it("removes old replays of ranked matches and of practice games, each with an allowance of their own", async () => {
  const { deps, removed } = await played();
  const { signal } = new AbortController();
  const ladderIds = ["public"];
  const expected = await countBeyond(deps.store, ALLOWANCES, ladderIds);
  const { removed: count, bytes } = await trimReplays(deps, ALLOWANCES, signal);
  assert.deepEqual([count, bytes], [MATCHES - HIGHLIGHTS - KEPT - KEPT_CASUAL, 7 * count]);
  assert.equal(expected, count);
  assert.equal(await countBeyond(deps.store, ALLOWANCES, ladderIds), 0);
  const kept = [0, 51, 53, 54, 55, 56, 57, 58, 59].map(idOf);
  assert.deepEqual((await deps.store.replays.ids()).toSorted(), kept);
  assert.equal(new Set(removed).size, count);
  assert.ok(kept.every((id) => !removed.includes(id)));
  assert.deepEqual(await trimReplays(deps, ALLOWANCES, signal), NOTHING);
});

it("keeps those of a ladder while it is held, up to as many as it may", async () => {
  const { deps, removed } = await played();
  const { signal } = new AbortController();
  const held = [{ ladderId: "public", keep: 25 }];
  await trimReplays(deps, { ...ALLOWANCES, held }, signal);
  assert.equal((await deps.store.replays.ids()).length, HIGHLIGHTS + 25 + KEPT_CASUAL);
  const fewer = { ...ALLOWANCES, held: [{ ladderId: "public", keep: 20 }] };
  assert.equal(await countBeyond(deps.store, fewer, ["public"]), 5);
  assert.equal(await countBeyond(deps.store, ALLOWANCES, ["public"]), 25 - KEPT);
  assert.ok(removed.includes(idOf(8)) && !removed.includes(idOf(10)), "the oldest go first");
  await trimReplays(deps, ALLOWANCES, signal);
  assert.equal((await deps.store.replays.ids()).length, HIGHLIGHTS + KEPT + KEPT_CASUAL);
  assert.equal(new Set(removed).size, removed.length);
});

it("stops removing once it is told to", async () => {
  const { deps, removed } = await played();
  assert.deepEqual(await trimReplays(deps, ALLOWANCES, AbortSignal.abort()), NOTHING);
  assert.deepEqual(removed, []);
});
