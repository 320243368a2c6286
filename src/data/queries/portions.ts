/** Ids that one statement names: well under the parameters that either database takes. */
const PORTION = 1000;

/** Reads rows of any number of ids, each once. */
export async function inPortions<R>(
  ids: readonly string[],
  read: (portion: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (const portion of portionsOf(ids)) rows.push(...(await read(portion)));
  return rows;
}

/** Each id once. */
export function portionsOf(ids: readonly string[]): string[][] {
  const distinct = [...new Set(ids)];
  const portions = Math.ceil(distinct.length / PORTION);
  return Array.from({ length: portions }, (_, at) =>
    distinct.slice(at * PORTION, (at + 1) * PORTION),
  );
}
