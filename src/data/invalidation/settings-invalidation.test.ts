import assert from "node:assert/strict";
import { test } from "node:test";

import { openRevisions } from "#base/cache/revisions.ts";
import type { Dependencies } from "#base/cache/revisions.ts";
import type { Store } from "#data/store/store.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { addSampleLadder } from "#testing/store-contract/store-custom-ladder-cases.ts";
import { sampleAudit } from "#testing/store-contract/store-samples.ts";

import { withInvalidation } from "./with-invalidation.ts";

const READS: Record<string, (store: Store) => Promise<unknown>> = {
  ladders: (store) => store.ladders.list(),
  settings: (store) => store.settings.current(),
};

const AUDIT_ENTRY = sampleAudit(5);
const LADDER_BOUNDS = { maxConcurrent: 1, ownerConcurrency: null };
const settingsUpdate = (from: number) => {
  return { from, overrides: {}, bounds: { cup: LADDER_BOUNDS }, changes: [], accountId: "a" };
};

const CASES: [name: string, change: (store: Store) => Promise<unknown>, stale: string[]][] = [
  [
    "settings overrides",
    (store) => store.settings.change(settingsUpdate(0), 9, AUDIT_ENTRY),
    ["settings"],
  ],
  ["a stale revision", (store) => store.settings.change(settingsUpdate(7), 9, AUDIT_ENTRY), []],
  [
    "a deleted ladder",
    (store) => store.ladders.delete("cup", AUDIT_ENTRY),
    ["ladders", "settings"],
  ],
  ["an unknown ladder", (store) => store.ladders.delete("dusk", AUDIT_ENTRY), []],
];

for (const [name, change, staleReads] of CASES)
  test(`${name} invalidates ${staleReads.join(", ") || "nothing"}`, async () => {
    const innerStore = memoryStore();
    await addSampleLadder(innerStore);
    const revisions = openRevisions();
    const store = withInvalidation(innerStore, revisions);
    const pendingReads = Object.entries(READS).map(async ([readName, read]) => {
      const dependencies: Dependencies = new Map();
      await revisions.collect(dependencies, () => read(store));
      return [readName, dependencies] as const;
    });
    const trackedReads = await Promise.all(pendingReads);
    await change(store);
    const staleTracked = trackedReads.filter(
      ([, dependencies]) => !revisions.isFresh(dependencies),
    );
    assert.deepEqual(
      staleTracked.map(([readName]) => readName),
      staleReads,
    );
  });
