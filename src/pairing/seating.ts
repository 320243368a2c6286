import { matchupOf } from "./matchups.ts";
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
  const byMap = matchupOf(matchups, one.version, other.version)?.byMap;
  const counts = maps.map((map) => byMap?.games[byMap.maps.indexOf(map)] ?? 0);
  const least = Math.min(...counts);
  const rarest = maps.filter((_, place) => counts[place] === least);
  return rarest[Math.floor(draw() * rarest.length)];
}
