import type { Results } from "#core/ids/results.ts";

import { totalGames, winRate } from "./version-record.ts";

export type MatchupLimits = { top: number; bottom: number; minimum: number; all: boolean };

export type Matchup<O> = O & { games: number; winRate: number };

export type MatchupTable<O> = {
  best: Matchup<O>[];
  /** Lowest win rate first. With few opponents, some appear in both lists. */
  toughest: Matchup<O>[];
  total: number;
  belowMinimum: number;
  /** Number of opponents played often enough that are in neither list. */
  hidden: number;
};

/**
 * Returns the opponents against whom a bot has its highest and lowest win rates, among those played
 * often enough. Without limits, both lists contain all of them. Ties go to the opponent played more
 * often, then follow the order of `opponents`. An opponent appears in both lists only if there are
 * too few to fill them.
 */
export function rankMatchups<O extends Results>(
  opponents: readonly O[],
  limits: MatchupLimits,
): MatchupTable<O> {
  const qualifying = opponents
    .map((opponent) => ({
      ...opponent,
      games: totalGames(opponent),
      winRate: winRate(opponent) ?? 0,
    }))
    .filter(({ games }) => games >= limits.minimum);
  const top = limits.all ? qualifying.length : limits.top;
  const bottom = limits.all ? qualifying.length : limits.bottom;
  const best = qualifying.toSorted(byBestRate).slice(0, top);
  const worstToBest = qualifying.toSorted(byWorstRate);
  const notBest = new Set(worstToBest).difference(new Set(best));
  const toughest = new Set([...notBest.union(new Set(worstToBest))].slice(0, bottom));
  return {
    best,
    toughest: worstToBest.filter((opponent) => toughest.has(opponent)),
    total: opponents.length,
    belowMinimum: opponents.length - qualifying.length,
    hidden: Math.max(0, qualifying.length - top - bottom),
  };
}

type RankedOpponent = { games: number; winRate: number };
const byBestRate = (a: RankedOpponent, b: RankedOpponent) =>
  b.winRate - a.winRate || b.games - a.games;
const byWorstRate = (a: RankedOpponent, b: RankedOpponent) =>
  a.winRate - b.winRate || b.games - a.games;
