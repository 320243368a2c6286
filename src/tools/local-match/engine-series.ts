import { assertDefined } from "#base/util/assert-defined.ts";
import type { PolicyFactory } from "#core/bot-policies/policy.ts";
import type { Grid } from "#core/engine/grid.ts";

import { playEngineMatch } from "./local-engine-match.ts";

/** Results from the perspective of the pair's first bot. */
export type ResultTally = { wins: number; draws: number; losses: number; ticks: number };

export const EMPTY_RESULT_TALLY: Readonly<ResultTally> = { wins: 0, draws: 0, losses: 0, ticks: 0 };

/**
 * Plays match number `index` between a pair. Seats alternate every match, maps every two matches.
 */
export function playSeriesMatch(
  first: PolicyFactory,
  second: PolicyFactory,
  grids: readonly Grid[],
  index: number,
  seed: number,
): ResultTally {
  const grid = assertDefined(grids[Math.floor(index / 2) % grids.length], "map");
  const seat = index % 2;
  const bots = seat === 0 ? ([first, second] as const) : ([second, first] as const);
  const { winner, ticks } = playEngineMatch(...bots, grid, (seed + index) >>> 0);
  if (winner === null) return { ...EMPTY_RESULT_TALLY, draws: 1, ticks };
  return winner === seat
    ? { ...EMPTY_RESULT_TALLY, wins: 1, ticks }
    : { ...EMPTY_RESULT_TALLY, losses: 1, ticks };
}

export function addTallies(a: ResultTally, b: ResultTally): ResultTally {
  return {
    wins: a.wins + b.wins,
    draws: a.draws + b.draws,
    losses: a.losses + b.losses,
    ticks: a.ticks + b.ticks,
  };
}

/**
 * Returns the share of points in percent, counting a draw as half a win, and its standard error.
 */
export function scorePercent({ wins, draws, losses }: ResultTally): {
  percent: number;
  error: number;
} {
  const games = wins + draws + losses;
  const pointShare = (wins + draws / 2) / games;
  const variance = (wins + draws / 4) / games - pointShare * pointShare;
  return { percent: 100 * pointShare, error: 100 * Math.sqrt(variance / games) };
}
