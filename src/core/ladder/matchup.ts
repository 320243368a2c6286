// A bot's opponents sorted by how it does against them.

import type { Results } from "#core/words/results.ts";

import { gamesOf, winRate } from "./version-record.ts";

export type MatchupLimits = { top: number; bottom: number; minimum: number; all: boolean };

export type Matchup<O> = O & { games: number; winRate: number };

export type MatchupTable<O> = {
  /** Highest win rate first. */
  best: Matchup<O>[];
  /** Lowest win rate first; where opponents are few, some are in both. */
  toughest: Matchup<O>[];
  total: number;
  belowMinimum: number;
  /** Met often enough, but in neither list. */
  hidden: number;
};

/**
 * The opponents against whom a bot has the highest and the lowest win rates, among those met often
 * enough; without limits all of them in both lists. Among equal ones those met more often come
 * first; opponents come in an order that settles the rest. Only where there are too few for both
 * lists is one in both.
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
