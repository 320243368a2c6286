import { placeOfMap, matchupOf } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import type { Draw } from "./random.ts";
import type { Snapshot, WaitingBot } from "./types.ts";

/** Of the two, first the one that takes seat A: the one that has sat there less, else by lot. */
export function seated(
  one: WaitingBot,
  other: WaitingBot,
  draw: Draw,
): readonly [WaitingBot, WaitingBot] {
  const surplus = one.seatSurplus - other.seatSurplus;
  const oneFirst = surplus === 0 ? draw() < 0.5 : surplus < 0;
  return oneFirst ? [one, other] : [other, one];
}

/** The map that the version pair has played least, by lot among equals. */
export function leastPlayedMap(
  { maps, matchups }: Snapshot,
  one: WaitingBot,
  other: WaitingBot,
  draw: Draw,
): string {
  const matchup = matchupOf(matchups, one.version, other.version);
  const counts = maps.map((map) => gamesOn(matchups, matchup, placeOfMap(matchups, map)));
  const least = Math.min(...counts);
  const rarest = maps.filter((_, place) => counts[place] === least);
  return rarest[Math.floor(draw() * rarest.length)];
}

function gamesOn({ table }: Matchups, matchup: number | null, map: number | null): number {
  return matchup === null || map === null ? 0 : table.onMaps[table.width * matchup + map];
}
