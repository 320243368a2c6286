// A process that creates and sends emails. It may be killed during any store call, and any call may
// fail, whether or not it was stored.

import type { StartedDelivery } from "#data/store/delivery.ts";
import { StoreError } from "#data/store/errors.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";

export type SenderProcess = {
  store: Store;
  isDead(): boolean;
  /** Pending calls never settle afterwards. */
  kill(): void;
  inFlight(): number;
  /** Whether the latest poll of the queue returned an email. */
  isBusy(): boolean;
};

export type SenderProcessDeps = {
  store: Store;
  dice: SeededDice;
  skipped: (begun: Extract<StartedDelivery, { skipped: unknown }>) => void;
};

export const neverSettles = <T>(): Promise<T> => new Promise<T>(() => {});

const MEAN_CALLS_PER_PROCESS = 4000;
const FAILURE_SHARE = 0.002;

export function createSenderProcess({ store, dice, skipped }: SenderProcessDeps): SenderProcess {
  let isDead = false;
  let isBusy = true;
  let inFlight = 0;
  let remainingCalls = 1 + Math.floor(dice.exponential(MEAN_CALLS_PER_PROCESS));
  const kill = () => void (isDead = true);
  const namespaces = wrapRepositories(store, (method, name, { access }) => async (...values) => {
    if (isDead) return neverSettles();
    inFlight += 1;
    try {
      remainingCalls -= 1;
      const isStored = access === "write" && dice.chance(0.5);
      if (remainingCalls <= 0) {
        if (isStored) await method(...values);
        kill();
        return neverSettles();
      }
      if (dice.chance(FAILURE_SHARE)) {
        if (isStored) await method(...values);
        throw new StoreError("unavailable", "simulated fault");
      }
      const result = await method(...values);
      if (isDead) return neverSettles();
      if (name === "deliveries.begin") {
        const begun = result as StartedDelivery | null;
        isBusy = begun !== null;
        if (begun !== null && "skipped" in begun) skipped(begun);
      }
      return result;
    } finally {
      inFlight -= 1;
    }
  });
  return {
    store: { ...namespaces, close: async () => {} },
    isDead: () => isDead,
    kill,
    inFlight: () => inFlight,
    isBusy: () => isBusy,
  };
}
