/** An estimate counts for this many games until its own results outweigh it. */
const PRIOR_GAMES = 20;

/**
 * Results of many pairs, each at its place. `totals` has games and half points over all maps, which
 * answers most questions; `onMaps` has rows of `width` numbers, both for each known map. Half
 * points are those of the first of the pair, two for a win.
 */
export type ResultTable = {
  readonly totals: Int32Array;
  readonly width: number;
  readonly onMaps: Int32Array;
};

/** Games and half points. */
export const CELLS = 2;

/** The columns of the maps, and how many more there are that nobody has played on. */
export type MapPlaces = { readonly places: Int32Array; readonly unplayed: number };

/**
 * The share of points, 0 to 1, that the first of a pair is expected to take: what the ratings
 * promise, adjusted by the pair's results.
 */
export function expectedShare({ totals }: ResultTable, place: number, promised: number): number {
  return smoothed(promised, totals[CELLS * place]!, totals[CELLS * place + 1]!);
}

/**
 * How open a pair is, 0 to 1, averaged evenly over some maps. On each map, results there adjust the
 * share expected of the pair.
 */
export function meanOpenness(
  { width, onMaps }: ResultTable,
  place: number,
  { places, unplayed }: MapPlaces,
  expected: number,
): number {
  const row = width * place;
  let sum = unplayed * openness(expected);
  for (let map = 0; map < places.length; map += 1) {
    const cell = row + places[map]!;
    sum += openness(smoothed(expected, onMaps[cell]!, onMaps[cell + 1]!));
  }
  return sum / (places.length + unplayed);
}

/**
 * 1 if both are equally likely to win, 0 if the winner is certain; one half at 25 and at 75
 * percent.
 */
export function openness(share: number): number {
  return 1 - Math.abs(2 * share - 1);
}

function smoothed(prior: number, games: number, halfPoints: number): number {
  return (halfPoints / 2 + PRIOR_GAMES * prior) / (games + PRIOR_GAMES);
}
