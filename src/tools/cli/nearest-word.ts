/** Returns the word closest to a mistyped word; null if no word is close. */
export function findNearest(word: string, words: readonly string[]): string | null {
  const maxDistance = Math.max(1, Math.floor(word.length / 3));
  const candidates = words
    .map((candidate) => ({ known: candidate, distance: editDistance(word, candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = candidates;
  return best !== undefined && best.distance <= maxDistance ? best.known : null;
}

function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const currentRow = [row];
    for (let column = 1; column <= to.length; column += 1)
      currentRow.push(minCost(from, to, rows, currentRow, [row, column]));
    rows.push(currentRow);
  }
  return rows[from.length]?.[to.length] ?? 0;
}

function minCost(
  from: string,
  to: string,
  rows: readonly (readonly number[])[],
  currentRow: readonly number[],
  [row, column]: readonly [number, number],
): number {
  const costAt = (r: number, c: number) => (r === row ? currentRow[c] : rows[r]?.[c]) ?? Infinity;
  const isSame = from[row - 1] === to[column - 1];
  const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
  return Math.min(
    costAt(row - 1, column) + 1,
    costAt(row, column - 1) + 1,
    costAt(row - 1, column - 1) + (isSame ? 0 : 1),
    isSwap ? costAt(row - 2, column - 2) + 1 : Infinity,
  );
}
