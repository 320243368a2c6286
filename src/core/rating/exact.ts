import { UNPLAYED_DEVIATION } from "./deviation.ts";
import { currentFit, ratingOf } from "./fit.ts";
import { exactScore, POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults } from "./types.ts";
import { exactVarianceColumns } from "./variance.ts";

/** Unrounded points. */
export type ExactRating = { rating: number; deviation: number; score: number };

/**
 * Returns ratings, deviations and scores of a few versions for the present counts; changes nothing.
 * The values depend only on the counts and anchors, to 1e-6 points: the order of games, removed
 * games, restarts and earlier reads make no larger difference. The only anchor of a scope has a
 * deviation of exactly 0; of several anchors, each has a positive one.
 */
export function exactRatings(
  scope: CompetitionResults,
  versions: readonly string[],
): ExactRating[] {
  const fit = currentFit(scope);
  const indices = versions.map((version) => scope.indices.get(version));
  const columns = exactVarianceColumns(
    fit,
    indices.filter((index) => index !== undefined),
  ).values();
  return versions.map((version, index) => {
    const column = indices[index] === undefined ? undefined : columns.next().value;
    const correction = column === undefined ? 0 : POINTS_PER_UNIT * column.correction;
    const deviation =
      column === undefined ? UNPLAYED_DEVIATION : POINTS_PER_UNIT * Math.sqrt(column.variance);
    const exactRating = ratingOf(scope, version) + correction;
    return { rating: exactRating, deviation, score: exactScore(exactRating, deviation) };
  });
}
