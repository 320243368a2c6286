import { storeError, StoreError } from "#data/store/errors.ts";
import type { Call } from "#data/store/method.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import type { Backend } from "./backend.ts";
import { queriesOf } from "./queries.ts";
import { GroupWriter } from "./writer.ts";

/** The store of a database whose schema is up to date. Every rejection is a StoreError. */
export function storeOf(backend: Backend): Store {
  const writer = new GroupWriter(backend);
  const calls = new Calls();
  return {
    ...around(queriesOf(backend, writer.write), (method) => calls.guard(method)),
    async close() {
      await calls.end();
      await backend.database.destroy();
    },
  };
}

/** The calls under way. None begins after `end`, which waits for those that have begun. */
class Calls {
  readonly #running = new Set<Promise<unknown>>();
  #ended = false;

  /** The same method, tracked as a call and rejecting with nothing but StoreError. */
  guard(method: Call): Call {
    return async (...values) => {
      if (this.#ended) throw new StoreError("unavailable", "the store is closed");
      const call = method(...values);
      this.#running.add(call);
      try {
        return await call;
      } catch (error) {
        throw storeError(error);
      } finally {
        this.#running.delete(call);
      }
    };
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#running);
  }
}
