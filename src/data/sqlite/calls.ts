import { storeError, StoreError } from "#data/store/errors.ts";

type Method = (...values: never[]) => Promise<unknown>;

/** The calls under way: none begins after the end, and the end waits for those that have begun. */
export class Calls {
  readonly #running = new Set<Promise<unknown>>();
  #ended = false;

  /** The same methods, counted as calls and rejecting with StoreError alone. */
  guard<T extends Record<string, Method>>(methods: T): T {
    const guarded = Object.entries(methods).map(([name, method]) => [name, this.#counted(method)]);
    return Object.fromEntries(guarded) as T;
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.allSettled(this.#running);
  }

  #counted(method: Method): Method {
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
}
