/** Ids per statement: well below the number of parameters that either database accepts. */
const PORTION = 1000;

/** Reads the rows of any number of ids, each id once. */
export async function inPortions<R>(
  ids: readonly string[],
  read: (portion: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (const portion of portionsOf(ids)) rows.push(...(await read(portion)));
  return rows;
}

/** Each id appears once. */
export function portionsOf(ids: readonly string[]): string[][] {
  const distinct = [...new Set(ids)];
  const portions = Math.ceil(distinct.length / PORTION);
  return Array.from({ length: portions }, (_, at) =>
    distinct.slice(at * PORTION, (at + 1) * PORTION),
  );
}
