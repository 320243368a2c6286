/** IDs per statement, well below the parameter limits of both databases. */
const CHUNK_SIZE = 1000;

export async function readInChunks<R>(
  ids: readonly string[],
  read: (chunk: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (const chunk of toChunks(ids)) rows.push(...(await read(chunk)));
  return rows;
}

export function toChunks(ids: readonly string[]): string[][] {
  const uniqueIds = [...new Set(ids)];
  const chunkCount = Math.ceil(uniqueIds.length / CHUNK_SIZE);
  return Array.from({ length: chunkCount }, (_, index) =>
    uniqueIds.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );
}
