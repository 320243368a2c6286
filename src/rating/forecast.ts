/** Games that an estimate counts for before results of its own outweigh it. */
const PRIOR_GAMES = 20;

export type Results = {
  games: number;
  /** Points of the first of the two, a draw being half a point. */
  points: number;
};

/** Results by map, one place per map that has any: numbers side by side are read fastest. */
export type MapResults = { maps: string[]; games: number[]; points: number[] };

/** Shares of points, 0 to 1, that the first of two versions is expected to take. */
export type Forecast = {
  /** Over all maps: the pair's results smoothed toward the ratings. */
  score: number;
  /** 0 to 1, averaged evenly over the maps: how open the fight is. */
  quality: number;
};

/**
 * The forecast of a pair from the score its ratings promise, its results, and its results on the
 * maps where it has any; those on other maps than the given ones do not count. Each map's results are smoothed toward the pair's own forecast.
 */
export function forecast(
  promised: number,
  results: Results,
  byMap: MapResults,
  maps: readonly string[],
): Forecast {
  const score = smoothed(promised, results.games, results.points);
  const usual = openness(score);
  let difference = 0;
  for (let place = 0; place < byMap.maps.length; place += 1) {
    if (!maps.includes(byMap.maps[place])) continue;
    difference += openness(smoothed(score, byMap.games[place], byMap.points[place])) - usual;
  }
  return { score, quality: maps.length === 0 ? usual : usual + difference / maps.length };
}

/** 1 when either may win alike, 0 when the winner is certain; one half at 25 and at 75 percent. */
export function openness(score: number): number {
  return 1 - Math.abs(2 * score - 1);
}

function smoothed(prior: number, games: number, points: number): number {
  return (points + PRIOR_GAMES * prior) / (games + PRIOR_GAMES);
}
