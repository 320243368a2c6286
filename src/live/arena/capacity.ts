import type { LadderId } from "#core/ids/ids.ts";
import { ladderCapacity } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";

import type { ArenaState } from "./arena-state.ts";
import type { RankedMatch } from "./session.ts";

/** Returns how many more matches the server can run. */
export const serverRoom = ({ deps, rankedMatches }: ArenaState): number =>
  deps.settings.current().max_concurrent - rankedMatches.size;

export function ladderBounds({ deps: { settings } }: ArenaState, ladder: LadderDefinition) {
  return ladderCapacity(ladder, settings.current(), settings.ladderBounds(ladder.id));
}

/** Returns how many more matches a ladder can run, capped by the server's remaining capacity. */
export function ladderRoom(
  arena: ArenaState,
  ladderId: LadderId,
  runningCount = runningOnLadder(arena, ladderId),
): number {
  const ladder = arena.deps.ladders.byId(ladderId);
  if (ladder === null) return 0;
  const { maxConcurrent } = ladderBounds(arena, ladder);
  return Math.min(serverRoom(arena), maxConcurrent - runningCount);
}

export const runningOnLadder = ({ rankedMatches }: ArenaState, ladderId: LadderId): number =>
  rankedMatches.values().reduce((count, match) => count + Number(match.ladderId === ladderId), 0);

/** Number of occupied seats in running matches, by owner. */
type SeatCounts = Map<string, number>;

type CapacityUsage = { matches: number; readonly seats: SeatCounts };

/** Capacity used by running matches, in total and by ladder. Computed once per wave. */
export type Occupancy = {
  readonly server: CapacityUsage;
  readonly byLadder: Map<LadderId, CapacityUsage>;
  houseMatches: number;
};

const emptyUsage = (): CapacityUsage => ({ matches: 0, seats: new Map() });

export function occupancyOf({ rankedMatches }: ArenaState): Occupancy {
  const occupancy = {
    server: emptyUsage(),
    byLadder: new Map<LadderId, CapacityUsage>(),
    houseMatches: 0,
  };
  for (const match of rankedMatches.values()) addToOccupancy(occupancy, match);
  return occupancy;
}

export function addToOccupancy(
  occupancy: Occupancy,
  { ladderId, sessions }: Pick<RankedMatch, "ladderId" | "sessions">,
): void {
  const { server, byLadder } = occupancy;
  occupancy.houseMatches += Number(hasHouseBot(sessions));
  for (const usage of [server, byLadder.getOrInsertComputed(ladderId, emptyUsage)]) {
    usage.matches += 1;
    for (const { bot } of sessions)
      usage.seats.set(bot.ownerId, (usage.seats.get(bot.ownerId) ?? 0) + 1);
  }
}

export const hasHouseBot = (sessions: RankedMatch["sessions"]): boolean =>
  sessions.some(({ bot }) => bot.house);

export const houseRoom = ({ deps }: ArenaState, { houseMatches }: Occupancy): number =>
  deps.settings.current().house_concurrency - houseMatches;

export const ladderUsage = ({ byLadder }: Occupancy, ladderId: LadderId): CapacityUsage =>
  byLadder.get(ladderId) ?? emptyUsage();

/** Returns how many more matches an owner may start under the ladder's own limit. */
export function ownerLadderRoom(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  owner: string,
): number {
  const takenSeats = ladderUsage(occupancy, ladder.id).seats.get(owner) ?? 0;
  return ladderBounds(arena, ladder).ownerConcurrency - takenSeats;
}

/**
 * Returns how many more matches an owner may start on a ladder under both the ladder's and the
 * server's limits.
 */
export function ownerRoom(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  owner: string,
): number {
  const { owner_concurrency } = arena.deps.settings.current();
  const room = owner_concurrency - (occupancy.server.seats.get(owner) ?? 0);
  return Math.min(room, ownerLadderRoom(arena, ladder, occupancy, owner));
}
