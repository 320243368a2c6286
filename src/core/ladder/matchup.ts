// A bot's opponents, sorted by how it does against them.

import type { Results } from "#core/words/results.ts";

import { gamesOf, winRate } from "./version-record.ts";

export type MatchupLimits = { top: number; bottom: number; minimum: number; all: boolean };

export type Matchup<O> = O & { games: number; winRate: number };

export type MatchupTable<O> = {
  /** Highest win rate first. */
  best: Matchup<O>[];
  /** Lowest win rate first. With few opponents, some are in both lists. */
  toughest: Matchup<O>[];
  total: number;
  belowMinimum: number;
  /** Met often enough, but in neither list. */
  hidden: number;
};

/**
 * The opponents against whom a bot has its highest and lowest win rates, among those met often
 * enough; without limits, both lists hold them all. Ties go to the opponent met more often, then to
 * the order of `opponents`. An opponent is in both lists only if there are too few to fill them.
 */
export function matchups<O extends Results>(
  opponents: readonly O[],
  limits: MatchupLimits,
): MatchupTable<O> {
  const often = opponents
    .map((one) => ({ ...one, games: gamesOf(one), winRate: winRate(one) ?? 0 }))
    .filter(({ games }) => games >= limits.minimum);
  const top = limits.all ? often.length : limits.top;
  const bottom = limits.all ? often.length : limits.bottom;
  const best = often.toSorted(bestFirst).slice(0, top);
  const fromWorst = often.toSorted(worstFirst);
  const others = new Set(fromWorst).difference(new Set(best));
  const toughest = new Set([...others.union(new Set(fromWorst))].slice(0, bottom));
  return {
    best,
    toughest: fromWorst.filter((one) => toughest.has(one)),
    total: opponents.length,
    belowMinimum: opponents.length - often.length,
    hidden: Math.max(0, often.length - top - bottom),
  };
}

type Ranked = { games: number; winRate: number };
const bestFirst = (a: Ranked, b: Ranked) => b.winRate - a.winRate || b.games - a.games;
const worstFirst = (a: Ranked, b: Ranked) => a.winRate - b.winRate || b.games - a.games;
