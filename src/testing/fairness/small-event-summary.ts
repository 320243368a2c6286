import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { SmallEvent, BoardOrder } from "./small-event.ts";
import { quantile } from "./statistics.ts";

/** A ranking is accurate if its correlation with true strengths reaches this value. */
const MIN_CORRELATION = 0.9;
/** A ranking has settled once it stays accurate for this many games, or until the event ends. */
const SETTLED_GAMES = 50;
const RECENT_OPPONENTS = 3;

/** Returns the first accurate ranking; null if no ranking is accurate. */
export function firstAccurateOrder(orders: readonly BoardOrder[]): BoardOrder | null {
  return orders.find(({ spearman }) => spearman >= MIN_CORRELATION) ?? null;
}

/** Returns the ranking at which the order settled; null if it never settles. */
export function settledOrder(orders: readonly BoardOrder[]): BoardOrder | null {
  let candidate: BoardOrder | null = null;
  for (const order of orders) {
    if (!(order.spearman >= MIN_CORRELATION)) candidate = null;
    else candidate ??= order;
    if (candidate !== null && order.games >= candidate.games + SETTLED_GAMES) return candidate;
  }
  return candidate;
}

/** Returns the mean number of games per player within the first `gameCount` games. */
export function gamesPerBot({ games, bots }: SmallEvent, gameCount = games.length): number {
  const seats = games
    .slice(0, gameCount)
    .flatMap(({ players }) => players.filter((first) => first !== null));
  return seats.length / bots;
}

export type RematchShares = {
  /**
   * Shares of games in which either bot meets its last opponent, and in which either meets a recent
   * opponent.
   */
  immediate: number;
  recent: number;
};

export function rematchShares({ games }: Pick<SmallEvent, "games">): RematchShares {
  const recentOpponents = new Map<string, string[]>();
  const counts = { immediate: 0, recent: 0 };
  for (const { botIds } of games) {
    const [first, second] = botIds;
    const ranks = [
      opponentIndex(recentOpponents, first, second),
      opponentIndex(recentOpponents, second, first),
    ];
    counts.immediate += Number(ranks.includes(0));
    counts.recent += Number(ranks.some((rank) => rank !== -1));
    recentOpponents.set(
      first,
      [second, ...(recentOpponents.get(first) ?? [])].slice(0, RECENT_OPPONENTS),
    );
    recentOpponents.set(
      second,
      [first, ...(recentOpponents.get(second) ?? [])].slice(0, RECENT_OPPONENTS),
    );
  }
  return { immediate: counts.immediate / games.length, recent: counts.recent / games.length };
}

const opponentIndex = (
  recentOpponents: ReadonlyMap<string, string[]>,
  bot: string,
  opponent: string,
): number => recentOpponents.get(bot)?.indexOf(opponent) ?? -1;

export function houseMatchShare({ games }: SmallEvent): number {
  return games.filter(({ players }) => players.includes(null)).length / games.length;
}

/**
 * Returns how many minutes each player needs to be ranked, in ascending order. Infinity means that
 * the player is never ranked.
 */
export function minutesUntilRanked({ games, bots }: SmallEvent): number[] {
  const counts = new Map<string, number>();
  const rankedMinutes: number[] = [];
  for (const { players, minutes } of games)
    for (const player of players) {
      if (player === null) continue;
      const count = (counts.get(player) ?? 0) + 1;
      counts.set(player, count);
      if (count === FIXED_LIMITS.qualifying_games) rankedMinutes.push(minutes);
    }
  const unrankedMinutes = Array.from({ length: bots - rankedMinutes.length }, () => Infinity);
  return [...rankedMinutes, ...unrankedMinutes];
}

export type WaitStats = { median: number; p95: number; longest: number };

export function waitStats({ waits }: SmallEvent): WaitStats {
  return { median: quantile(waits, 0.5), p95: quantile(waits, 0.95), longest: quantile(waits, 1) };
}
