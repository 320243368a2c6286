// Finds which games a leaderboard counts. On an active ladder it lags slightly behind the list of
// matches, so it may lack the newest games. The records in its rows tell which.

import { gamesOf } from "#core/ladder/version-record.ts";

import type { ListedMatch, ShownRow } from "./answers.ts";
import { versionKey } from "./count.ts";
import type { Count } from "./count.ts";

/** Newest games between versions without a row that may be left out. Each costs a computation. */
const MOST_UNTOLD = 7;

/**
 * Sets of games, by match id, that a leaderboard may not count yet, likeliest first. `count` has
 * all games; `fresh` are the rated ones it may lack, newest first. A row tells how many games its
 * version lacks, and those are its newest; nothing is known about versions without a row.
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

/** By version key, for each row: how many counted games its record lacks. */
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
