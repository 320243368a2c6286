import { UNPLAYED_DEVIATION } from "./deviation.ts";
import { currentFit, ratingOf } from "./fit.ts";
import { exactScore, POINTS_PER_UNIT } from "./score.ts";
import type { CompetitionResults } from "./types.ts";
import { exactVarianceColumns } from "./variance.ts";

/** In unrounded points. */
export type ExactRating = { rating: number; deviation: number; score: number };

/**
 * Returns the ratings, deviations and scores of a few versions for the current counts. Changes no
 * cached value. The results depend only on counts and anchors, to within 1e-6 points, whatever the
 * order of games, removed games, restarts or earlier reads. If a scope has only one anchor, that
 * anchor's deviation is exactly 0.
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
