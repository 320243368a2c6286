import assert from "node:assert/strict";
import { test } from "node:test";

import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { createWatches } from "#testing/invariants/all-watches.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { DEFAULT_SIMULATION_OPTIONS } from "./options.ts";
import type { SimulationOptions } from "./options.ts";
import type { PlantedBug } from "./planted-bug.ts";
import { simulate } from "./run.ts";

export type PlantedCase = [
  what: string,
  invariant: string,
  plant: PlantedBug,
  options?: Partial<SimulationOptions>,
];

const QUIET_OPTIONS = {
  days: 0.1,
  bots: 20,
  fought: Infinity,
  faults: [],
  manners: "polite",
} as const;

export const withSave = (
  save: (match: FinishedMatch, correctSave: Store["matches"]["save"]) => Promise<boolean>,
): PlantedBug => ({
  store: (store) =>
    overrideStore(store, { matches: { save: (match) => save(match, store.matches.save) } }),
});

export function testPlantedCases(cases: readonly PlantedCase[]): void {
  for (const [description, invariant, plantedBug, options = {}] of cases)
    void test(`detects the bug: ${description}`, async () => {
      const defaults = {
        ...DEFAULT_SIMULATION_OPTIONS,
        ...QUIET_OPTIONS,
        limits: "usual",
        seed: 5,
      } as const;
      const fullOptions: SimulationOptions = { ...defaults, ...options };
      const { complaint } = await simulate(fullOptions, {
        plantedBug,
        createWatches: (limits) =>
          createWatches({ limits, start: fullOptions.start, refitEvery: 1 }),
      });
      assert.deepEqual(complaint?.invariant, invariant, complaint?.text ?? "no complaint");
    });
}
