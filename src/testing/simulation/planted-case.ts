// How a watch is proved: a fault is planted into the server, and the watch must see it.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { allWatches } from "#testing/invariants/all.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

import { DEFAULTS } from "./options.ts";
import type { SimulationOptions } from "./options.ts";
import type { Plant } from "./planted-bug.ts";
import { simulate } from "./run.ts";

export type PlantedCase = [
  what: string,
  invariant: string,
  plant: Plant,
  options?: Partial<SimulationOptions>,
];

const QUIET = { days: 0.1, bots: 20, fought: Infinity, faults: [], manners: "polite" } as const;

/** A store that saves matches in another way. */
export const saving = (
  save: (match: FinishedMatch, right: Store["matches"]["save"]) => Promise<boolean>,
): Plant => ({
  store: (store) =>
    changedStore(store, { matches: { save: (match) => save(match, store.matches.save) } }),
});

/** One test for each. */
export function planted(cases: readonly PlantedCase[]): void {
  for (const [what, invariant, plant, options = {}] of cases)
    void test(`it is seen when ${what}`, async () => {
      const usual = { ...DEFAULTS, ...QUIET, limits: "usual", seed: 5 } as const;
      const whole: SimulationOptions = { ...usual, ...options };
      const { complaint } = await simulate(whole, {
        plant,
        watchesOf: (limits) => allWatches({ limits, start: whole.start, refitEvery: 1 }),
      });
      assert.deepEqual(complaint?.invariant, invariant, complaint?.text ?? "nothing was seen");
    });
}
