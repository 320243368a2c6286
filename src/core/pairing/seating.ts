// Where two bots play and on which side. Ties are broken by the match's own seed, so that anybody
// can reproduce the choice from public data.

import { placeOfMap, matchupOf } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import type { Snapshot, WaitingBot } from "./types.ts";

/**
 * The two bots, seat A first: the one that has sat there less, else by the highest bit of the seed,
 * which is 0 for the bot with the lesser id.
 */
export function seated(
  one: WaitingBot,
  other: WaitingBot,
  seed: number,
): readonly [WaitingBot, WaitingBot] {
  const surplus = one.seatSurplus - other.seatSurplus;
  const isLesserFirst = seed >>> 31 === 0;
  const isOneFirst = surplus === 0 ? one.bot < other.bot === isLesserFirst : surplus < 0;
  return isOneFirst ? [one, other] : [other, one];
}

/** The maps that the version pair has played least, in the ladder's order. */
export function leastPlayedMaps(
  { maps, matchups }: Snapshot,
  one: WaitingBot,
  other: WaitingBot,
): string[] {
  const matchup = matchupOf(matchups, one.version, other.version);
  const counts = maps.map((map) => gamesOn(matchups, matchup, placeOfMap(matchups, map)));
  const least = Math.min(...counts);
  return maps.filter((_, place) => counts[place] === least);
}

export const mapBySeed = (tied: readonly string[], seed: number): string =>
  tied[(seed >>> 0) % tied.length]!;

function gamesOn({ table }: Matchups, matchup: number | null, map: number | null): number {
  return matchup === null || map === null ? 0 : table.onMaps[table.width * matchup + map]!;
}
