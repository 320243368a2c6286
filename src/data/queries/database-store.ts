import { toStoreError, StoreError } from "#data/store/errors.ts";
import type { StoreMethod } from "#data/store/store-method.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import type { Backend } from "./database-backend.ts";
import { GroupWriter } from "./group-writer.ts";
import { createRepositories } from "./queries.ts";

/**
 * Creates the store of a database whose schema is up to date. Methods reject only with StoreError.
 */
export function createStore(backend: Backend): Store {
  const writer = new GroupWriter(backend);
  const calls = new CallTracker();
  return {
    ...wrapRepositories(createRepositories(backend, writer.write), (method) => calls.track(method)),
    async close() {
      await calls.drain();
      await backend.database.destroy();
    },
  };
}

/** Tracks calls in progress. `drain` rejects new calls and waits for pending calls. */
class CallTracker {
  readonly #pending = new Set<Promise<unknown>>();
  #isClosed = false;

  track(method: StoreMethod): StoreMethod {
    return async (...args) => {
      if (this.#isClosed) throw new StoreError("unavailable", "the store is closed");
      const call = method(...args);
      this.#pending.add(call);
      try {
        return await call;
      } catch (error) {
        throw toStoreError(error);
      } finally {
        this.#pending.delete(call);
      }
    };
  }

  async drain(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
  }
}
