/** Number of games that a prediction counts for. */
const PRIOR_GAMES = 20;

/**
 * Results of many pairs, one row per pair. `totals` contains games and half points over all maps.
 * `onMaps` contains both per map, with `width` numbers per row. Half points are counted for the
 * pair's first version; a win is two.
 */
export type ResultTable = {
  readonly totals: Int32Array;
  readonly width: number;
  readonly onMaps: Int32Array;
};

export const CELLS_PER_MAP = 2;

export type MapColumns = { readonly columns: Int32Array; readonly unplayedCount: number };

/**
 * Returns the expected share of points for the first version of a pair, 0 to 1: the prediction from
 * ratings, adjusted by the pair's results.
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
 * Returns the match quality, 0 to 1, averaged evenly over the maps. Results on a map adjust the
 * expected share there.
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
 * Returns the match quality: 1 if both are equally likely to win, 0.5 at 25% or 75%, 0 if the
 * winner is certain.
 */
export function matchQuality(share: number): number {
  return 1 - Math.abs(2 * share - 1);
}

function smoothShare(prior: number, games: number, halfPoints: number): number {
  return (halfPoints / 2 + PRIOR_GAMES * prior) / (games + PRIOR_GAMES);
}
