// Whether the store can be reached, as it was when it was last asked: nothing is asked for it.

import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { around } from "#data/store/store.ts";
import type { MethodName, Store } from "#data/store/store.ts";

/** Says something about the store, not about one call. */
const DOWN: readonly StoreErrorCode[] = ["unavailable", "full", "io"];

export type WatchedStore = {
  /** The same store. */
  store: Store;
  /** True before the first call. */
  isUp: () => boolean;
};

/** `heard` is told of each call: its name, and its failure if that says something about the store. */
export function watchStore(
  watched: Store,
  heard: (name: MethodName, failure: StoreErrorCode | null) => void = () => {},
): WatchedStore {
  let isUp = true;
  const nouns = around(watched, (method, name) => async (...args) => {
    try {
      const answer = await method(...args);
      isUp = true;
      heard(name, null);
      return answer;
    } catch (error) {
      const code = error instanceof StoreError && DOWN.includes(error.code) ? error.code : null;
      if (code !== null) isUp = false;
      if (code !== null) heard(name, code);
      throw error;
    }
  });
  return { store: { ...nouns, close: () => watched.close() }, isUp: () => isUp };
}
