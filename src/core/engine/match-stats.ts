import type { Fight } from "./fight.ts";
import type { ServerTally } from "./server-stats.ts";
import { serverStats, startServerTally, tallyServerTick } from "./server-stats.ts";
import type { FightTally } from "./stats.ts";
import { combatStats, startTally, tallyTick } from "./stats.ts";
import type { FighterStats, MatchStats, ReplayHeader, ReplayResult, ReplayTick } from "./types.ts";

export type MatchTally = { readonly combat: FightTally; readonly server: ServerTally };

export function startMatchTally({ deadlines, fighters }: ReplayHeader): MatchTally {
  return {
    combat: startTally(fighters.length),
    server: startServerTally(deadlines, fighters.length),
  };
}

/** Counts the tick that the fight has just played. `tick` is its record. */
export function tallyMatchTick({ combat, server }: MatchTally, fight: Fight, tick: ReplayTick) {
  tallyTick(combat, fight);
  tallyServerTick(server, tick);
}

/**
 * Returns the statistics document of a finished match, or null if a server fault voided the match.
 */
export function createMatchStats(
  { match_id, map, seed, fighters }: ReplayHeader,
  { winner, reason, ticks }: ReplayResult,
  tally: MatchTally,
): MatchStats | null {
  if (reason === "server_fault") return null;
  const fighterStats = fighters.map(({ id, name, version }, seat): FighterStats => {
    const combat = combatStats(tally.combat, seat);
    return { id, name, version, ...combat, ...serverStats(tally.server, seat, reason) };
  });
  const header = { match_id, stats_version: 2 as const, map: map.name, seed, ticks };
  return { ...header, winner, reason, fighters: fighterStats };
}
