// Room for further matches: on the server, on a ladder, and for an owner.

import type { LadderId } from "#core/ids/ids.ts";
import { ladderCapacity } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";

import type { ArenaState } from "./arena-state.ts";
import type { RankedMatch } from "./session.ts";

/** Returns how many more matches the server has room for. */
export const serverRoom = ({ deps, rankedMatches }: ArenaState): number =>
  deps.settings.current().max_concurrent - rankedMatches.size;

/** Returns the bounds in force on a ladder. */
export function ladderBounds({ deps: { settings } }: ArenaState, ladder: LadderDefinition) {
  return ladderCapacity(ladder, settings.current(), settings.ladderBounds(ladder.id));
}

/** Returns how many more matches a ladder has room for, within the server's room. */
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

/** Seats of owners' bots in running matches. */
type SeatCounts = Map<string, number>;

type CapacityUsage = { matches: number; readonly seats: SeatCounts };

/** Usage by running matches, in total and by ladder. Computed once per wave. */
export type Occupancy = {
  readonly server: CapacityUsage;
  readonly byLadder: Map<LadderId, CapacityUsage>;
  /** Matches with a house bot. */
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

/** Counts one more match. */
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

/** Returns how many more matches with a house bot the server has room for. */
export const houseRoom = ({ deps }: ArenaState, { houseMatches }: Occupancy): number =>
  deps.settings.current().house_concurrency - houseMatches;

export const ladderUsage = ({ byLadder }: Occupancy, ladderId: LadderId): CapacityUsage =>
  byLadder.get(ladderId) ?? emptyUsage();

/** Returns how many more matches the ladder's bound allows an owner there. */
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
 * Returns how many more matches an owner may start on a ladder, by the bounds of the ladder and the
 * server.
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
