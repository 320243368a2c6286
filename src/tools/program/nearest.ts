/** The word closest to a mistyped one; null if none is close. */
export function nearest(word: string, words: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(word.length / 3));
  const ranked = words
    .map((known) => ({ known, distance: editDistance(word, known) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= most ? best.known : null;
}

/** Insertions, deletions, replacements and swaps of neighbours, each at cost 1. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1)
      line.push(cheapest(from, to, rows, line, [row, column]));
    rows.push(line);
  }
  return rows[from.length]?.[to.length] ?? 0;
}

function cheapest(
  from: string,
  to: string,
  rows: readonly (readonly number[])[],
  line: readonly number[],
  [row, column]: readonly [number, number],
): number {
  const at = (r: number, c: number) => (r === row ? line[c] : rows[r]?.[c]) ?? Infinity;
  const isSame = from[row - 1] === to[column - 1];
  const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  return Math.min(
    at(row - 1, column) + 1,
    at(row, column - 1) + 1,
    at(row - 1, column - 1) + (isSame ? 0 : 1),
    isSwap ? at(row - 2, column - 2) + 1 : Infinity,
  );
}
