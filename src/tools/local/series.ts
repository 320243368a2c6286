import { sure } from "#base/units/sure.ts";
import type { Grid } from "#core/engine/grid.ts";
import type { BotMaker } from "#core/policies/choice.ts";

import { playDuel } from "./duel.ts";

/** Results of the first bot of a pair. */
export type Tally = { wins: number; draws: number; losses: number; ticks: number };

export const EMPTY_TALLY: Readonly<Tally> = { wins: 0, draws: 0, losses: 0, ticks: 0 };

/** Plays game number `index` of a pair: seats alternate, then the maps take turns. */
export function playGame(
  first: BotMaker,
  second: BotMaker,
  grids: readonly Grid[],
  index: number,
  seed: number,
): Tally {
  const grid = sure(grids[Math.floor(index / 2) % grids.length], "map");
  const seat = index % 2;
  const bots = seat === 0 ? ([first, second] as const) : ([second, first] as const);
  const { winner, ticks } = playDuel(...bots, grid, (seed + index) >>> 0);
  if (winner === null) return { ...EMPTY_TALLY, draws: 1, ticks };
  return winner === seat
    ? { ...EMPTY_TALLY, wins: 1, ticks }
    : { ...EMPTY_TALLY, losses: 1, ticks };
}

export function addTallies(a: Tally, b: Tally): Tally {
  return {
    wins: a.wins + b.wins,
    draws: a.draws + b.draws,
    losses: a.losses + b.losses,
    ticks: a.ticks + b.ticks,
  };
}

/** The share of points in percent, a draw being half a win, and its standard error. */
export function scoreOf({ wins, draws, losses }: Tally): { percent: number; error: number } {
  const games = wins + draws + losses;
  const share = (wins + draws / 2) / games;
  const variance = (wins + draws / 4) / games - share * share;
  return { percent: 100 * share, error: 100 * Math.sqrt(variance / games) };
}
