// A match's watchability is a sum of points for several criteria.

import type { Match } from "#core/api/match.ts";

/** Returns the most watchable match, or undefined if no match was played. */
export function mostWatchable(matches: readonly Match[]): Match | undefined {
  const playedMatches = matches.filter(({ voided, final_tick }) => !voided && final_tick > 0);
  return playedMatches.toSorted((matchA, matchB) => watchability(matchB) - watchability(matchA))[0];
}

const watchability = (match: Match): number =>
  strengthPoints(match) + length(match) + upsetPoints(match);

/**
 * A tenth of the weaker bot's rating: a match between two strong bots is more watchable than a
 * one-sided match.
 */
const strengthPoints = ({ bots }: Match): number =>
  Math.min(...bots.map(({ rating_before = 0 }) => rating_before)) / 10;

/** A third of a point per tick, because long matches tend to be close. */
const length = ({ final_tick }: Match): number => final_tick / 3;

/** A quarter of the rating difference if the weaker bot won. */
function upsetPoints({ bots, winner }: Match): number {
  const winnerRating = bots.find(({ id }) => id === winner)?.rating_before;
  const loserRating = bots.find(({ id }) => id !== winner)?.rating_before;
  if (winner === null || winnerRating === undefined || loserRating === undefined) return 0;
  return Math.max(0, loserRating - winnerRating) / 4;
}
