/** IDs per statement, well below the parameter limit of either database. */
const CHUNK_SIZE = 1000;

/** Reads the rows of any number of IDs, each ID once. */
export async function readInChunks<R>(
  ids: readonly string[],
  read: (chunk: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (const chunk of toChunks(ids)) rows.push(...(await read(chunk)));
  return rows;
}

/** Drops duplicate IDs. */
export function toChunks(ids: readonly string[]): string[][] {
  const uniqueIds = [...new Set(ids)];
  const chunkCount = Math.ceil(uniqueIds.length / CHUNK_SIZE);
  return Array.from({ length: chunkCount }, (_, index) =>
    uniqueIds.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );
}
