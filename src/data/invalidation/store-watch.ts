import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { MethodName, Store } from "#data/store/store.ts";

/** Errors that concern the store and not a single call. */
const DOWN_CODES: readonly StoreErrorCode[] = ["unavailable", "full", "io"];

export type WatchedStore = {
  store: Store;
  /** Returns whether the last call reached the store. True before the first call. */
  isUp: () => boolean;
};

/**
 * Calls `onCall` with null after each successful call, and with the error code if an error concerns
 * the store.
 */
export function watchStore(
  inner: Store,
  onCall: (name: MethodName, failureCode: StoreErrorCode | null) => void = () => {},
): WatchedStore {
  let isUp = true;
  const repositories = wrapRepositories(inner, (method, name) => async (...args) => {
    try {
      const result = await method(...args);
      isUp = true;
      onCall(name, null);
      return result;
    } catch (error) {
      const code =
        error instanceof StoreError && DOWN_CODES.includes(error.code) ? error.code : null;
      if (code !== null) isUp = false;
      if (code !== null) onCall(name, code);
      throw error;
    }
  });
  return { store: { ...repositories, close: () => inner.close() }, isUp: () => isUp };
}
