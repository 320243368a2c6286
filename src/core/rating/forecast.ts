/** An estimate counts for this many games until its own results outweigh it. */
const PRIOR_GAMES = 20;

/**
 * Results of many pairs, by row. `totals` has games and half points over all maps, which answers
 * most questions; `onMaps` has rows of `width` numbers, both for each known map. Half points are
 * those of the first of the pair, two for a win.
 */
export type ResultTable = {
  readonly totals: Int32Array;
  readonly width: number;
  readonly onMaps: Int32Array;
};

/** Games and half points. */
export const CELLS_PER_MAP = 2;

/** The columns of the maps, and the number of maps that haven't been played. */
export type MapColumns = { readonly columns: Int32Array; readonly unplayedCount: number };

/**
 * Returns the share of points, 0 to 1, that the first of a pair is expected to take: the prediction
 * from ratings, adjusted by the pair's results.
 */
export function expectedShare(
  { totals }: ResultTable,
  pairIndex: number,
  predictedShare: number,
): number {
  return smoothShare(
    predictedShare,
    totals[CELLS_PER_MAP * pairIndex]!,
    totals[CELLS_PER_MAP * pairIndex + 1]!,
  );
}

/**
 * Returns the quality of a match, 0 to 1, averaged evenly over some maps. On each map, results
 * there adjust the expected share.
 */
export function meanMatchQuality(
  { width, onMaps }: ResultTable,
  pairIndex: number,
  { columns, unplayedCount }: MapColumns,
  expected: number,
): number {
  const row = width * pairIndex;
  let sum = unplayedCount * matchQuality(expected);
  for (let mapIndex = 0; mapIndex < columns.length; mapIndex += 1) {
    const cell = row + columns[mapIndex]!;
    sum += matchQuality(smoothShare(expected, onMaps[cell]!, onMaps[cell + 1]!));
  }
  return sum / (columns.length + unplayedCount);
}

/**
 * 1 if both are equally likely to win, 0 if the winner is certain; one half at 25 and at 75
 * percent.
 */
export function matchQuality(share: number): number {
  return 1 - Math.abs(2 * share - 1);
}

function smoothShare(prior: number, games: number, halfPoints: number): number {
  return (halfPoints / 2 + PRIOR_GAMES * prior) / (games + PRIOR_GAMES);
}
