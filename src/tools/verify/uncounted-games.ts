// Finds which matches a leaderboard counts. On an active ladder, the leaderboard lags slightly
// behind the list of matches and may lack the newest matches. The records in its rows show which
// matches are missing.

import { totalGames } from "#core/ladder/version-record.ts";

import { botVersionKey } from "./match-count.ts";
import type { MatchCount } from "./match-count.ts";
import type { ListedMatch, LeaderboardEntry } from "./response-schemas.ts";

/**
 * Maximum number of the newest matches between versions without a row that may be left out. Each
 * such match costs one computation.
 */
const MAX_UNKNOWN_GAMES = 7;

/**
 * Returns sets of matches, by id, that a leaderboard may not count yet, with the most likely sets
 * first. `count` has all matches; `fresh` has the rated matches that may be missing, newest first.
 * A row shows how many matches are missing for its version, and these are the version's newest
 * matches. Versions without a row show nothing.
 */
export function chooseUncountedGames(
  shown: readonly LeaderboardEntry[],
  count: MatchCount,
  freshMatches: readonly ListedMatch[],
): ReadonlySet<string>[] {
  const missingGames = countMissingGames(shown, count);
  const certainIds = new Set<string>();
  const uncertainIds: string[] = [];
  for (const { id, bots } of freshMatches) {
    const keys = bots.map((bot) => botVersionKey(bot.id, bot.version));
    const listedVersions = keys.flatMap((key) => {
      const games = missingGames.get(key);
      return games === undefined ? [] : [{ key, games }];
    });
    if (listedVersions.length === 0) uncertainIds.push(id);
    else if (listedVersions.every(({ games }) => games > 0)) {
      certainIds.add(id);
      for (const { key, games } of listedVersions) missingGames.set(key, games - 1);
    }
  }
  const choiceCount = Math.min(uncertainIds.length, MAX_UNKNOWN_GAMES) + 1;
  return Array.from({ length: choiceCount }, (_, extraCount) =>
    certainIds.union(new Set(uncertainIds.slice(0, extraCount))),
  );
}

/** By version key: the number of counted matches that are missing from the row's record. */
function countMissingGames(
  shown: readonly LeaderboardEntry[],
  { versions, bots }: MatchCount,
): Map<string, number> {
  const ids = new Map([...bots].map(([id, { name }]) => [name, id]));
  const missingGames = new Map<string, number>();
  for (const row of shown) {
    const key = botVersionKey(ids.get(row.name) ?? "", row.version);
    const countedVersion = versions.get(key);
    if (countedVersion !== undefined)
      missingGames.set(key, totalGames(countedVersion) - totalGames(row));
  }
  return missingGames;
}
