// Picks the map and seats of a pair. The match's own seed breaks ties, so anyone can reproduce the
// choice from public data.

import { mapColumn, matchupRow } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import type { QueueSnapshot, WaitingBot } from "./types.ts";

/**
 * Returns the two bots with seat A first. Seat A goes to the bot that has had it less often. The
 * seed's highest bit breaks ties; 0 picks the bot with the lower id.
 */
export function assignSeats(
  a: WaitingBot,
  b: WaitingBot,
  seed: number,
): readonly [WaitingBot, WaitingBot] {
  const surplus = a.seatSurplus - b.seatSurplus;
  const lowerIdFirst = seed >>> 31 === 0;
  const isAFirst = surplus === 0 ? a.bot < b.bot === lowerIdFirst : surplus < 0;
  return isAFirst ? [a, b] : [b, a];
}

/** Returns the maps that the version pair has played least often, in the ladder's order. */
export function leastPlayedMaps(
  { maps, matchups }: QueueSnapshot,
  a: WaitingBot,
  b: WaitingBot,
): string[] {
  const matchup = matchupRow(matchups, a.version, b.version);
  const counts = maps.map((map) => gamesOnMap(matchups, matchup, mapColumn(matchups, map)));
  const fewestGames = Math.min(...counts);
  return maps.filter((_, mapIndex) => counts[mapIndex] === fewestGames);
}

export const pickMapBySeed = (tiedMaps: readonly string[], seed: number): string =>
  tiedMaps[(seed >>> 0) % tiedMaps.length]!;

function gamesOnMap({ table }: Matchups, matchup: number | null, map: number | null): number {
  return matchup === null || map === null ? 0 : table.onMaps[table.width * matchup + map]!;
}
