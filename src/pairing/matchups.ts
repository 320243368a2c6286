import type { MapResults, Results } from "#rating/forecast.ts";

/** What two versions have done against each other; points are those of the first. */
export type Matchup = { results: Results; byMap: MapResults };

/** Matchups by the lesser version id, then by the greater one, whose opponent is `first`. */
export type Matchups = Map<string, Map<string, Matchup>>;

/** A rated game of two bots; `score` is what `version` took. */
export type PlayedGame = {
  version: string;
  opponent: string;
  map: string;
  score: 0 | 0.5 | 1;
};

/** Counts a game for the forecasts. */
export function recordGame(matchups: Matchups, game: PlayedGame): void {
  count(matchups, game, 1);
}

/** Takes a counted game back. */
export function unrecordGame(matchups: Matchups, game: PlayedGame): void {
  count(matchups, game, -1);
}

/** The matchup of two versions, seen from the lesser id; undefined when they never met. */
export function matchupOf(
  matchups: Matchups,
  version: string,
  opponent: string,
): Matchup | undefined {
  return version < opponent
    ? matchups.get(version)?.get(opponent)
    : matchups.get(opponent)?.get(version);
}

function count(matchups: Matchups, game: PlayedGame, sign: 1 | -1): void {
  const first = game.version < game.opponent;
  const matchup = madeMatchup(
    matchups,
    first ? game.version : game.opponent,
    first ? game.opponent : game.version,
  );
  const { results, byMap } = matchup;
  const place = placeOfMap(byMap, game.map);
  const points = first ? game.score : 1 - game.score;
  results.games += sign;
  results.points += sign * points;
  byMap.games[place] += sign;
  byMap.points[place] += sign * points;
}

function madeMatchup(matchups: Matchups, lesser: string, greater: string): Matchup {
  const row = matchups.get(lesser) ?? new Map<string, Matchup>();
  matchups.set(lesser, row);
  const matchup = row.get(greater) ?? {
    results: { games: 0, points: 0 },
    byMap: { maps: [], games: [], points: [] },
  };
  row.set(greater, matchup);
  return matchup;
}

function placeOfMap({ maps, games, points }: MapResults, map: string): number {
  const known = maps.indexOf(map);
  if (known >= 0) return known;
  games.push(0);
  points.push(0);
  return maps.push(map) - 1;
}
