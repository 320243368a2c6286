/** Games that an estimate counts for before results of its own outweigh it. */
const PRIOR_GAMES = 20;

/**
 * Results of many pairs, each at its place: games and half points on all maps together, which most
 * questions are about, and apart from them rows of `width` numbers, both for each map that is known.
 * Half points are those of the first of the two, two for a win.
 */
export type ResultTable = {
  readonly totals: Int32Array;
  readonly width: number;
  readonly onMaps: Int32Array;
};

/** Games and half points. */
export const CELLS = 2;

/** Where maps are in every row, and how many more there are that nobody has played on. */
export type MapPlaces = { readonly places: Int32Array; readonly unplayed: number };

/**
 * The share of points, 0 to 1, that the first of a pair is expected to take: what the ratings
 * promise, moved by the pair's results.
 */
export function expectedShare({ totals }: ResultTable, place: number, promised: number): number {
  return smoothed(promised, totals[CELLS * place]!, totals[CELLS * place + 1]!);
}

/**
 * How open a pair is, 0 to 1, averaged evenly over some maps; on each map its own results move the
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

/** 1 when either may win alike, 0 when the winner is certain; one half at 25 and at 75 percent. */
export function openness(share: number): number {
  return 1 - Math.abs(2 * share - 1);
}

function smoothed(prior: number, games: number, halfPoints: number): number {
  return (halfPoints / 2 + PRIOR_GAMES * prior) / (games + PRIOR_GAMES);
}
