// Which games a leaderboard counts. On a ladder that plays it lags a little behind the list of
// matches, so the newest games may be missing from it. The records of its rows tell which.

import { gamesOf } from "#core/ladder/version-record.ts";

import type { ListedMatch, ShownRow } from "./answers.ts";
import { versionKey } from "./count.ts";
import type { Count } from "./count.ts";

/** Newest games between versions without a row that may be left out; each costs a computation. */
const MOST_UNTOLD = 7;

/**
 * Sets of games, by match id, that a leaderboard may not count yet, likeliest first. `count` has all
 * of them; `fresh` are the rated games that it may lack, newest first. Rows say of their versions
 * how many are missing, and those are a version's newest; of others nothing is known.
 */
export function uncountedGames(
  shown: readonly ShownRow[],
  count: Count,
  fresh: readonly ListedMatch[],
): ReadonlySet<string>[] {
  const lacking = lackingGames(shown, count);
  const told = new Set<string>();
  const untold: string[] = [];
  for (const { id, bots } of fresh) {
    const keys = bots.map((bot) => versionKey(bot.id, bot.version));
    const listed = keys.flatMap((key) => {
      const games = lacking.get(key);
      return games === undefined ? [] : [{ key, games }];
    });
    if (listed.length === 0) untold.push(id);
    else if (listed.every(({ games }) => games > 0)) {
      told.add(id);
      for (const { key, games } of listed) lacking.set(key, games - 1);
    }
  }
  const choices = Math.min(untold.length, MOST_UNTOLD) + 1;
  return Array.from({ length: choices }, (_, more) => told.union(new Set(untold.slice(0, more))));
}

/** By key of each version that has a row: how many games that are counted its record lacks. */
function lackingGames(shown: readonly ShownRow[], { versions, bots }: Count): Map<string, number> {
  const ids = new Map([...bots].map(([id, { name }]) => [name, id]));
  const lacking = new Map<string, number>();
  for (const row of shown) {
    const key = versionKey(ids.get(row.name) ?? "", row.version);
    const counted = versions.get(key);
    if (counted !== undefined) lacking.set(key, gamesOf(counted) - gamesOf(row));
  }
  return lacking;
}
