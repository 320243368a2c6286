import assert from "node:assert/strict";
import { it } from "node:test";

import { memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleTime,
} from "#testing/store-cases/store-samples.ts";

import { trimReplays } from "./replay-trim.ts";

const MATCHES = 60;
const KEPT = 3;
const KEPT_CASUAL = 5;

const idOf = (number: number): string => sampleId("match", number);

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
  const replays = { remove: async (id: string) => void removed.push(id) };
  return { deps: { store, replays }, removed };
}

it("removes old replays of ranked matches and of practice games, each with an allowance of their own", async () => {
  const { deps, removed } = await played();
  const { signal } = new AbortController();
  const count = await trimReplays(deps, KEPT, signal, KEPT_CASUAL);
  assert.equal(count, MATCHES - KEPT - KEPT_CASUAL);
  const kept = [51, 53, 54, 55, 56, 57, 58, 59].map(idOf);
  assert.deepEqual((await deps.store.replays.ids()).toSorted(), kept);
  assert.equal(new Set(removed).size, count);
  assert.ok(kept.every((id) => !removed.includes(id)));
  assert.equal(await trimReplays(deps, KEPT, signal, KEPT_CASUAL), 0);
});

it("stops removing once it is told to", async () => {
  const { deps, removed } = await played();
  assert.equal(await trimReplays(deps, KEPT, AbortSignal.abort(), KEPT_CASUAL), 0);
  assert.deepEqual(removed, []);
});
