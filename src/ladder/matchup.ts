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

/**
 * The best and the toughest opponents among those met often enough. Where there are fewer of them
 * than places, or no limits, the two lists share them in proportion to their places. Opponents come
 * in an order that settles ties.
 */
export function matchups<O extends Results>(opponents: readonly O[], limits: Limits): Matchups<O> {
  const shown = opponents
    .map((opponent) => ({
      ...opponent,
      games: gamesOf(opponent),
      winRate: winRate(opponent) ?? 0,
    }))
    .filter(({ games }) => games >= limits.minimum)
    .toSorted((one, other) => other.winRate - one.winRate || other.games - one.games);
  const { top, bottom } = placesFor(shown.length, limits);
  return {
    best: shown.slice(0, top),
    toughest: shown.slice(shown.length - bottom).toReversed(),
    total: opponents.length,
    belowMinimum: opponents.length - shown.length,
    hidden: shown.length - top - bottom,
  };
}

function placesFor(count: number, { top, bottom, all }: Limits): { top: number; bottom: number } {
  const [most, least] = all ? [1, 1] : [top, bottom];
  if (!all && top + bottom <= count) return { top, bottom };
  const best = Math.ceil((count * most) / (most + least));
  return { top: best, bottom: count - best };
}
