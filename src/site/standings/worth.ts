// Which of some bouts a visitor should see first: a sum of named reasons, in points.

import type { Match } from "#core/resources/match.ts";

/** The one most worth watching; undefined if none was fought. */
export function mostWatchable(matches: readonly Match[]): Match | undefined {
  const fought = matches.filter(({ voided, final_tick }) => !voided && final_tick > 0);
  return fought.toSorted((one, other) => worthOf(other) - worthOf(one))[0];
}

const worthOf = (match: Match): number => strength(match) + length(match) + surprise(match);

/** A tenth of the weaker one's rating: two strong bots are worth more than a walkover. */
const strength = ({ bots }: Match): number =>
  Math.min(...bots.map(({ rating_before = 0 }) => rating_before)) / 10;

/** A third of a point a tick: long bouts are close ones. */
const length = ({ final_tick }: Match): number => final_tick / 3;

/** A quarter of the points that the winner was rated below the loser. */
function surprise({ bots, winner }: Match): number {
  const won = bots.find(({ id }) => id === winner)?.rating_before;
  const lost = bots.find(({ id }) => id !== winner)?.rating_before;
  if (winner === null || won === undefined || lost === undefined) return 0;
  return Math.max(0, lost - won) / 4;
}
