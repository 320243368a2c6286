/** Ids that one statement names: well under the parameters that either database takes. */
const PORTION = 1000;

/** Reads rows of any number of ids, each once. */
export async function inPortions<R>(
  ids: readonly string[],
  read: (portion: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  const distinct = [...new Set(ids)];
  const rows: R[] = [];
  for (let first = 0; first < distinct.length; first += PORTION)
    rows.push(...(await read(distinct.slice(first, first + PORTION))));
  return rows;
}
