import assert from "node:assert/strict";
import { it } from "node:test";

import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleTime,
} from "#testing/store-contract/store-samples.ts";

import { countExcessReplays, trimReplays } from "./replay-retention.ts";

const MATCHES = 60;
const RETAINED = 3;
const RETAINED_CASUAL = 5;
/** Pinned highlights: only the first match of the ladder. */
const HIGHLIGHTS = 1;
const ALLOWANCES = { perBot: RETAINED, casual: RETAINED_CASUAL, ladderRetentions: [] };

const idOf = (number: number): string => sampleId("match", number);

const NOTHING_REMOVED = { removed: 0, bytes: 0 };

async function playMatches() {
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

it("removes old replays of ranked and practice matches, each up to its own limit", async () => {
  const { deps, removed } = await playMatches();
  const { signal } = new AbortController();
  const ladderIds = ["public"];
  const expected = await countExcessReplays(deps.store, ALLOWANCES, ladderIds);
  const { removed: count, bytes } = await trimReplays(deps, ALLOWANCES, signal);
  assert.deepEqual([count, bytes], [MATCHES - HIGHLIGHTS - RETAINED - RETAINED_CASUAL, 7 * count]);
  assert.equal(expected, count);
  assert.equal(await countExcessReplays(deps.store, ALLOWANCES, ladderIds), 0);
  const retainedIds = [0, 51, 53, 54, 55, 56, 57, 58, 59].map(idOf);
  assert.deepEqual((await deps.store.replays.ids()).toSorted(), retainedIds);
  assert.equal(new Set(removed).size, count);
  assert.ok(retainedIds.every((id) => !removed.includes(id)));
  assert.deepEqual(await trimReplays(deps, ALLOWANCES, signal), NOTHING_REMOVED);
});

it("retains replays of a ladder with a retention, up to its limit", async () => {
  const { deps, removed } = await playMatches();
  const { signal } = new AbortController();
  const ladderRetentions = [{ ladderId: "public", keep: 25 }];
  await trimReplays(deps, { ...ALLOWANCES, ladderRetentions }, signal);
  assert.equal((await deps.store.replays.ids()).length, HIGHLIGHTS + 25 + RETAINED_CASUAL);
  const smallerAllowances = { ...ALLOWANCES, ladderRetentions: [{ ladderId: "public", keep: 20 }] };
  assert.equal(await countExcessReplays(deps.store, smallerAllowances, ["public"]), 5);
  assert.equal(await countExcessReplays(deps.store, ALLOWANCES, ["public"]), 25 - RETAINED);
  assert.ok(removed.includes(idOf(8)) && !removed.includes(idOf(10)), "oldest removed first");
  await trimReplays(deps, ALLOWANCES, signal);
  assert.equal((await deps.store.replays.ids()).length, HIGHLIGHTS + RETAINED + RETAINED_CASUAL);
  assert.equal(new Set(removed).size, removed.length);
});

it("stops when `signal` aborts", async () => {
  const { deps, removed } = await playMatches();
  assert.deepEqual(await trimReplays(deps, ALLOWANCES, AbortSignal.abort()), NOTHING_REMOVED);
  assert.deepEqual(removed, []);
});
