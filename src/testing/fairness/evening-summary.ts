// What evenings show: when the order is right, how long bots wait, and whom they meet.

import { FIXED } from "#core/words/limits.ts";

import type { Evening, EveningOrder } from "./evening.ts";
import { quantile } from "./statistics.ts";

/** The order is right from this correlation with the truth. */
const RIGHT = 0.9;
/** It has settled once it is right for this many games, or to the end. */
const STAYS_GAMES = 50;
/** Opponents of a bot's latest matches, for how often it meets the same ones. */
const LATEST = 3;

/** The board when the order was right, or null for never. */
export function firstRight(orders: readonly EveningOrder[]): EveningOrder | null {
  return orders.find(({ spearman }) => spearman >= RIGHT) ?? null;
}

/** The board from which on the order stayed right, or null for never. */
export function settledRight(orders: readonly EveningOrder[]): EveningOrder | null {
  let since: EveningOrder | null = null;
  for (const order of orders) {
    if (!(order.spearman >= RIGHT)) since = null;
    else since ??= order;
    if (since !== null && order.games >= since.games + STAYS_GAMES) return since;
  }
  return since;
}

/** Games of an average player among the first `first`. */
export function gamesPerBot({ games, bots }: Evening, first = games.length): number {
  const seats = games
    .slice(0, first)
    .flatMap(({ players }) => players.filter((one) => one !== null));
  return seats.length / bots;
}

export type Rematches = {
  /** Shares of games whose bots met in the last match of either, or in one of the latest few. */
  atOnce: number;
  soon: number;
};

export function rematchesOf({ games }: Pick<Evening, "games">): Rematches {
  const met = new Map<string, string[]>();
  const counts = { atOnce: 0, soon: 0 };
  for (const { botIds } of games) {
    const [one, other] = botIds;
    const ranks = [rankOf(met, one, other), rankOf(met, other, one)];
    counts.atOnce += Number(ranks.includes(0));
    counts.soon += Number(ranks.some((rank) => rank !== -1));
    met.set(one, [other, ...(met.get(one) ?? [])].slice(0, LATEST));
    met.set(other, [one, ...(met.get(other) ?? [])].slice(0, LATEST));
  }
  return { atOnce: counts.atOnce / games.length, soon: counts.soon / games.length };
}

const rankOf = (met: ReadonlyMap<string, string[]>, bot: string, opponent: string): number =>
  met.get(bot)?.indexOf(opponent) ?? -1;

/** The share of games in which a player meets the house. */
export function houseShare({ games }: Evening): number {
  return games.filter(({ players }) => players.includes(null)).length / games.length;
}

/** Minutes after which each player was ranked, soonest first; Infinity for never. */
export function rankedAfter({ games, bots }: Evening): number[] {
  const counts = new Map<string, number>();
  const ranked: number[] = [];
  for (const { players, minutes } of games)
    for (const player of players) {
      if (player === null) continue;
      const count = (counts.get(player) ?? 0) + 1;
      counts.set(player, count);
      if (count === FIXED.qualifying_games) ranked.push(minutes);
    }
  const never = Array.from({ length: bots - ranked.length }, () => Infinity);
  return [...ranked, ...never];
}

export type WaitFigures = { median: number; p95: number; longest: number };

export function waitFigures({ waits }: Evening): WaitFigures {
  return { median: quantile(waits, 0.5), p95: quantile(waits, 0.95), longest: quantile(waits, 1) };
}
