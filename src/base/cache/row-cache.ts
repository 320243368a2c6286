import type { Cache } from "./cache.ts";

export type RowReader<R> = (ids: readonly string[]) => Promise<R[]>;

export type RowSource<R> = {
  /** Returns the rows in any order. Ids without a row are omitted. */
  read: (ids: readonly string[]) => Promise<R[]>;
  idOf: (row: R) => string;
  /** Returns the subjects that a row depends on. `row` is null for an id without a row. */
  subjectsOf: (id: string, row: R | null) => string[];
  /** Maximum rows per read. Keeps each read short. */
  batchSize: number;
};

type RowSlot<R> = { row: R | null };

/**
 * Returns a function that returns rows in the order of their ids, omitting missing rows. The rows
 * are frozen. The caller tracks the dependencies of the list, which can contain thousands of rows.
 */
export function openRowCache<R extends object>(
  { namespace, revisions }: Cache,
  name: string,
  source: RowSource<R>,
): RowReader<R> {
  const slots = namespace<RowSlot<R>>(name);
  const loadRow = openLoader(source);
  const readSlot = async (id: string): Promise<RowSlot<R>> => {
    const revision = revisions.newestRevision();
    const row = await revisions.untracked(() => loadRow(id));
    revisions.track(source.subjectsOf(id, row), revision);
    return { row: row && Object.freeze(row) };
  };
  return async (ids) =>
    revisions.untracked(async () => {
      const slotsOrIds = ids.map((id) => slots.peek(id) ?? id);
      const missingIds = new Set(slotsOrIds.filter((slotOrId) => typeof slotOrId === "string"));
      const loadedSlots = await Promise.all(
        [...missingIds].map(async (id) => [id, await slots.get(id, () => readSlot(id))] as const),
      );
      const byId = new Map(loadedSlots);
      return slotsOrIds.flatMap((slotOrId) => {
        const slot = typeof slotOrId === "string" ? byId.get(slotOrId) : slotOrId;
        return slot?.row ?? [];
      });
    });
}

/** Combines single requests into batched reads. Batches run one after another. */
function openLoader<R>({ read, idOf, batchSize }: RowSource<R>): (id: string) => Promise<R | null> {
  let pendingReads = new Map<string, PromiseWithResolvers<R | null>>();

  async function flush(): Promise<void> {
    const queuedReads = [...pendingReads];
    pendingReads = new Map();
    for (let first = 0; first < queuedReads.length; first += batchSize)
      await readBatch(queuedReads.slice(first, first + batchSize));
  }

  async function readBatch(
    batch: readonly [string, PromiseWithResolvers<R | null>][],
  ): Promise<void> {
    try {
      const rows = await read(batch.map(([id]) => id));
      const byId = new Map(rows.map((row) => [idOf(row), row]));
      for (const [id, { resolve }] of batch) resolve(byId.get(id) ?? null);
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    }
  }

  return (id) => {
    if (pendingReads.size === 0) queueMicrotask(() => void flush());
    return pendingReads.getOrInsertComputed(id, () => Promise.withResolvers<R | null>()).promise;
  };
}
