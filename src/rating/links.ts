/** Every pair both ways, by version: those of index i are at `start[i]` up to `start[i + 1]`. */
export type Links = {
  readonly start: Int32Array;
  readonly across: Int32Array;
  /** For each pair its place under the first and under the second of the two. */
  readonly placeOfFirst: Int32Array;
  readonly placeOfSecond: Int32Array;
};

/** Arranges the first `count` pairs of `size` versions. */
export function linksOf(size: number, count: number, first: Int32Array, second: Int32Array): Links {
  const start = startsOf(size, count, first, second);
  const next = start.slice();
  const across = new Int32Array(2 * count);
  const placeOfFirst = new Int32Array(count);
  const placeOfSecond = new Int32Array(count);
  for (let pair = 0; pair < count; pair += 1) {
    placeOfFirst[pair] = next[first[pair]]++;
    placeOfSecond[pair] = next[second[pair]]++;
    across[placeOfFirst[pair]] = second[pair];
    across[placeOfSecond[pair]] = first[pair];
  }
  return { start, across, placeOfFirst, placeOfSecond };
}

function startsOf(size: number, count: number, first: Int32Array, second: Int32Array): Int32Array {
  const start = new Int32Array(size + 1);
  for (let pair = 0; pair < count; pair += 1) {
    start[first[pair] + 1] += 1;
    start[second[pair] + 1] += 1;
  }
  for (let index = 0; index < size; index += 1) start[index + 1] += start[index];
  return start;
}
