// Whether the store can be reached, as it was when it was last asked: nothing is asked for it.

import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

/** Says something about the store, not about one call. */
const DOWN: readonly StoreErrorCode[] = ["unavailable", "full", "io"];

export type WatchedStore = {
  /** The same store. */
  store: Store;
  /** True before the first call. */
  isUp: () => boolean;
};

export function watchStore(watched: Store): WatchedStore {
  let isUp = true;
  const nouns = around(watched, (method) => async (...args) => {
    try {
      const answer = await method(...args);
      isUp = true;
      return answer;
    } catch (error) {
      if (error instanceof StoreError && DOWN.includes(error.code)) isUp = false;
      throw error;
    }
  });
  return { store: { ...nouns, close: () => watched.close() }, isUp: () => isUp };
}
