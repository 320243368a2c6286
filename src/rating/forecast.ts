/** Games that an estimate counts for before results of its own outweigh it. */
const PRIOR_GAMES = 20;

export type Results = {
  games: number;
  /** Points of the first of the two, a draw being half a point. */
  points: number;
};

/** Shares of points, 0 to 1, that the first of two versions is expected to take. */
export type Forecast = {
  /** Over all maps: the pair's results smoothed toward the ratings. */
  score: number;
  /** 0 to 1, averaged evenly over the maps: how open the fight is. */
  quality: number;
};

/**
 * The forecast of a pair from the score its ratings promise, its results, and its results by map
 * (absent: none there). Each map's results are smoothed toward the pair's own forecast.
 */
export function forecast(
  promised: number,
  results: Results,
  byMap: ReadonlyMap<string, Results>,
  maps: readonly string[],
): Forecast {
  const score = smoothed(promised, results);
  let sum = 0;
  for (const map of maps) {
    const there = byMap.get(map);
    sum += openness(there === undefined ? score : smoothed(score, there));
  }
  return { score, quality: maps.length === 0 ? openness(score) : sum / maps.length };
}

/** 1 when either may win alike, 0 when the winner is certain; one half at 25 and at 75 percent. */
export function openness(score: number): number {
  return 1 - Math.abs(2 * score - 1);
}

function smoothed(prior: number, { games, points }: Results): number {
  return (points + PRIOR_GAMES * prior) / (games + PRIOR_GAMES);
}
