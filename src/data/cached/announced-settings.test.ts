// Which readings of ladders and settings a change of either makes stale.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Parts } from "#base/cache/revisions.ts";
import type { Store } from "#data/store/store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { addCup } from "#testing/store-cases/store-kept-ladder-cases.ts";
import { sampleAudit } from "#testing/store-cases/store-samples.ts";

import { announced } from "./announced.ts";

const READINGS: Record<string, (store: Store) => Promise<unknown>> = {
  ladders: (store) => store.ladders.list(),
  settings: (store) => store.settings.current(),
};

const BARE = sampleAudit(5);
const BOUND = { maxConcurrent: 1, ownerConcurrency: null };
const next = (from: number) => {
  return { from, overrides: {}, bounds: { cup: BOUND }, changes: [], accountId: "a" };
};

const CASES: [name: string, change: (store: Store) => Promise<unknown>, stale: string[]][] = [
  ["what settings say", (store) => store.settings.change(next(0), 9, BARE), ["settings"]],
  ["nothing, from a wrong revision", (store) => store.settings.change(next(7), 9, BARE), []],
  ["a ladder that goes", (store) => store.ladders.delete("cup", BARE), ["ladders", "settings"]],
  ["no ladder that is not there", (store) => store.ladders.delete("dusk", BARE), []],
];

for (const [name, change, stale] of CASES)
  test(`${name}: ${stale.join(", ") || "nothing"} is stale`, async () => {
    const inner = memoryStore();
    await addCup(inner);
    const revisions = openRevisions();
    const store = announced(inner, revisions);
    const read = Object.entries(READINGS).map(async ([reading, look]) => {
      const parts: Parts = new Map();
      await revisions.collect(parts, () => look(store));
      return [reading, parts] as const;
    });
    const readings = await Promise.all(read);
    await change(store);
    const changed = readings.filter(([, parts]) => !revisions.isFresh(parts));
    assert.deepEqual(
      changed.map(([reading]) => reading),
      stale,
    );
  });
