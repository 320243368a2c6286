// A bot's opponents sorted by how it does against them.

import { gamesOf, winRate } from "./version-record.ts";
import type { Results } from "./version-record.ts";

export type Limits = { top: number; bottom: number; minimum: number; all: boolean };

export type Matchup<O> = O & { games: number; winRate: number };

export type Matchups<O> = {
  /** Highest win rate first. */
  best: Matchup<O>[];
  /** Lowest win rate first; no opponent is in both. */
  toughest: Matchup<O>[];
  total: number;
  belowMinimum: number;
  hidden: number;
};

/** Win rate of whoever is neither better nor worse. */
const EVEN = 50;

/**
 * The best and the toughest opponents among those met often enough: those against whom a bot does
 * better than even, and worse. Without limits all of them, in two halves. Among equal ones those
 * met more often come first; opponents come in an order that settles the rest.
 */
export function matchups<O extends Results>(opponents: readonly O[], limits: Limits): Matchups<O> {
  const often = opponents
    .map((one) => ({ ...one, games: gamesOf(one), winRate: winRate(one) ?? 0 }))
    .filter(({ games }) => games >= limits.minimum);
  const best = often.toSorted((a, b) => b.winRate - a.winRate || b.games - a.games);
  const toughest = often.toSorted((a, b) => a.winRate - b.winRate || b.games - a.games);
  const shown = limits.all ? halves(best, toughest) : ends(best, toughest, limits);
  return {
    ...shown,
    total: opponents.length,
    belowMinimum: opponents.length - often.length,
    hidden: often.length - shown.best.length - shown.toughest.length,
  };
}

type Lists<O> = Pick<Matchups<O>, "best" | "toughest">;

/** The better half is the larger one. */
function halves<O>(best: readonly Matchup<O>[], toughest: readonly Matchup<O>[]): Lists<O> {
  const better = new Set(best.slice(0, Math.ceil(best.length / 2)));
  return { best: [...better], toughest: toughest.filter((one) => !better.has(one)) };
}

function ends<O>(
  best: readonly Matchup<O>[],
  toughest: readonly Matchup<O>[],
  { top, bottom }: Limits,
): Lists<O> {
  return {
    best: best.filter((one) => one.winRate > EVEN).slice(0, top),
    toughest: toughest.filter((one) => one.winRate < EVEN).slice(0, bottom),
  };
}
