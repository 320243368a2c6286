import { UNPLAYED_DEVIATION } from "./deviation.ts";
import { currentFit, rating } from "./fit.ts";
import { exactScore, POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults } from "./types.ts";
import { exactColumns } from "./variance.ts";

/** Unrounded points. */
export type ExactRating = { rating: number; deviation: number; score: number };

/**
 * Ratings, deviations and scores of a few versions for the present counts; changes nothing. The
 * values depend on the counts and anchors alone, to 1e-6 points: the order of the games, games
 * taken back, restarts and readings of the board in between make no larger difference. The only
 * anchor of a scope has a deviation of exactly 0; of several anchors, each has a positive one.
 */
export function exactRatings(
  scope: CompetitionResults,
  versions: readonly string[],
): ExactRating[] {
  const fit = currentFit(scope);
  const indices = versions.map((version) => scope.indices.get(version));
  const columns = exactColumns(
    fit,
    indices.filter((index) => index !== undefined),
  ).values();
  return versions.map((version, at) => {
    const column = indices[at] === undefined ? undefined : columns.next().value;
    const short = column === undefined ? 0 : POINTS_PER_UNIT * column.short;
    const deviation =
      column === undefined ? UNPLAYED_DEVIATION : POINTS_PER_UNIT * Math.sqrt(column.variance);
    const exact = rating(scope, version) + short;
    return { rating: exact, deviation, score: exactScore(exact, deviation) };
  });
}
