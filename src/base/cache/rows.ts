// Rows of a list, each cached by itself. Those that are missing are read together.

import type { Cache } from "./cache.ts";

export type Rows<R> = (ids: readonly string[]) => Promise<R[]>;

export type Reading<R> = {
  /** Reads the rows of some ids, in any order. An id may have no row. */
  read: (ids: readonly string[]) => Promise<R[]>;
  idOf: (row: R) => string;
  /** What a row depends on; null stands for an id without a row. */
  subjectsOf: (id: string, row: R | null) => string[];
  /** The most rows in one read, so that no read takes long. */
  portion: number;
};

type Slot<R> = { row: R | null };

/**
 * Rows in the order of their ids, without missing ones. They must not be changed. The caller notes
 * what a list of them depends on, since it may be made of thousands.
 */
export function openRows<R extends object>(
  { shelf, revisions }: Cache,
  name: string,
  reading: Reading<R>,
): Rows<R> {
  const slots = shelf<Slot<R>>(name);
  const load = openLoader(reading);
  const slotOf = async (id: string): Promise<Slot<R>> => {
    const at = revisions.now();
    const row = await revisions.apart(() => load(id));
    revisions.note(reading.subjectsOf(id, row), at);
    return { row: row && Object.freeze(row) };
  };
  return async (ids) =>
    revisions.apart(async () => {
      const found = ids.map((id) => slots.peek(id) ?? id);
      const missing = new Set(found.filter((one) => typeof one === "string"));
      const read = await Promise.all(
        [...missing].map(async (id) => [id, await slots.get(id, () => slotOf(id))] as const),
      );
      const byId = new Map(read);
      return found.flatMap((one) => {
        const slot = typeof one === "string" ? byId.get(one) : one;
        return slot?.row ?? [];
      });
    });
}

/** Collects single requests into reads of whole portions, one portion after another. */
function openLoader<R>({ read, idOf, portion }: Reading<R>): (id: string) => Promise<R | null> {
  let asked = new Map<string, PromiseWithResolvers<R | null>>();

  async function work(): Promise<void> {
    const waiting = [...asked];
    asked = new Map();
    for (let first = 0; first < waiting.length; first += portion)
      await settle(waiting.slice(first, first + portion));
  }

  async function settle(some: readonly [string, PromiseWithResolvers<R | null>][]): Promise<void> {
    try {
      const rows = await read(some.map(([id]) => id));
      const byId = new Map(rows.map((row) => [idOf(row), row]));
      for (const [id, { resolve }] of some) resolve(byId.get(id) ?? null);
    } catch (error) {
      for (const [, { reject }] of some) reject(error);
    }
  }

  return (id) => {
    if (asked.size === 0) queueMicrotask(() => void work());
    return asked.getOrInsertComputed(id, () => Promise.withResolvers<R | null>()).promise;
  };
}
