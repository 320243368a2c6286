// Runs one `make` per key and shares its result between concurrent callers.

import type { Dependencies, Revisions } from "./revisions.ts";

/** `dependencies` grows while the value is being made. */
type InFlightValue<T> = { dependencies: Dependencies; value: Promise<T | null> };

export type InFlightValues<T> = {
  inFlight(key: string): InFlightValue<T> | undefined;
  start(key: string, make: () => Promise<T | null>): InFlightValue<T>;
  /**
   * Returns the result to a caller that joined a running `make`. Returns null if a dependency has
   * changed since it was read, because the change may precede the call.
   */
  sharedResult(inFlightValue: InFlightValue<T>): Promise<{ value: T | null } | null>;
};

export function openInFlight<T extends object>(
  { collect, isFresh }: Revisions,
  onValue: (key: string, value: T, dependencies: Dependencies) => void,
): InFlightValues<T> {
  const inFlight = new Map<string, InFlightValue<T>>();

  async function run(key: string, dependencies: Dependencies, make: () => Promise<T | null>) {
    try {
      const value = await collect(dependencies, make);
      if (value !== null) onValue(key, value, dependencies);
      return value;
    } finally {
      inFlight.delete(key);
    }
  }

  return {
    inFlight: (key) => inFlight.get(key),
    start: (key, make) => {
      const { promise, resolve } = Promise.withResolvers<T | null>();
      const inFlightValue: InFlightValue<T> = { dependencies: new Map(), value: promise };
      inFlight.set(key, inFlightValue);
      resolve(run(key, inFlightValue.dependencies, make));
      return inFlightValue;
    },
    sharedResult: async ({ dependencies, value }) => {
      try {
        const result = await value;
        return isFresh(dependencies) ? { value: result } : null;
      } catch (error) {
        if (isFresh(dependencies)) throw error;
        return null;
      }
    },
  };
}
