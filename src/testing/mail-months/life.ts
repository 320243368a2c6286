// One life of the process that makes and sends letters: it may be killed within any call of the
// store, and any call may fail, stored or not.

import type { Begun } from "#data/store/delivery.ts";
import { StoreError } from "#data/store/errors.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

export type SenderLife = {
  store: Store;
  isDead(): boolean;
  /** Nothing that is under way ever ends. */
  die(): void;
  /** Calls of the store that have not ended. */
  inFlight(): number;
  /** Whether the latest look for a letter found one. */
  isBusy(): boolean;
};

export type SenderLifeDeps = {
  store: Store;
  dice: SeededDice;
  /** A letter was not to go out. */
  skipped: (begun: Extract<Begun, { skipped: unknown }>) => void;
};

export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Calls that a life has on average, and the share that fails. */
const MEAN_CALLS = 4000;
const FAILURES = 0.002;

export function openLife({ store, dice, skipped }: SenderLifeDeps): SenderLife {
  let isDead = false;
  let isBusy = true;
  let inFlight = 0;
  let left = 1 + Math.floor(dice.exponential(MEAN_CALLS));
  const die = () => void (isDead = true);
  const nouns = around(store, (method, name, { access }) => async (...values) => {
    if (isDead) return never();
    inFlight += 1;
    try {
      left -= 1;
      const isStored = access === "write" && dice.chance(0.5);
      if (left <= 0) {
        if (isStored) await method(...values);
        die();
        return never();
      }
      if (dice.chance(FAILURES)) {
        if (isStored) await method(...values);
        throw new StoreError("unavailable", "a fault of the simulation");
      }
      const answer = await method(...values);
      if (isDead) return never();
      if (name === "deliveries.begin") {
        const begun = answer as Begun | null;
        isBusy = begun !== null;
        if (begun !== null && "skipped" in begun) skipped(begun);
      }
      return answer;
    } finally {
      inFlight -= 1;
    }
  });
  return {
    store: { ...nouns, close: async () => {} },
    isDead: () => isDead,
    die,
    inFlight: () => inFlight,
    isBusy: () => isBusy,
  };
}
