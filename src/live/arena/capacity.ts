// How many more matches may run: on the server, on one ladder, and for one owner.

import { capacityOf } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Game } from "./session.ts";

/** Matches that the server has room for. */
export const serverRoom = ({ deps, games }: ArenaState): number =>
  deps.settings.current().max_concurrent - games.size;

/** What holds on a ladder. */
export function boundsOn({ deps: { settings } }: ArenaState, ladder: LadderDefinition) {
  return capacityOf(ladder, settings.current(), settings.boundsOf(ladder.id));
}

/** Matches that a ladder has room for, within the server's room. */
export function roomOn(
  arena: ArenaState,
  ladderId: LadderId,
  running = runningOn(arena, ladderId),
): number {
  const ladder = arena.deps.ladders.byId(ladderId);
  if (ladder === null) return 0;
  const { maxConcurrent } = boundsOn(arena, ladder);
  return Math.min(serverRoom(arena), maxConcurrent - running);
}

export const runningOn = ({ games }: ArenaState, ladderId: LadderId): number =>
  games.values().reduce((count, game) => count + Number(game.ladderId === ladderId), 0);

/** Seats that owners' bots hold in running matches. */
type Seats = Map<string, number>;

type Usage = { matches: number; readonly seats: Seats };

/** What running matches take up, counted once for a whole wave: in all, and by ladder. */
export type Occupancy = {
  readonly everywhere: Usage;
  readonly on: Map<LadderId, Usage>;
  /** Matches with a house bot. */
  house: number;
};

const unused = (): Usage => ({ matches: 0, seats: new Map() });

export function occupancyOf({ games }: ArenaState): Occupancy {
  const occupancy = { everywhere: unused(), on: new Map<LadderId, Usage>(), house: 0 };
  for (const game of games.values()) occupy(occupancy, game);
  return occupancy;
}

/** Counts one more match. */
export function occupy(
  occupancy: Occupancy,
  { ladderId, sessions }: Pick<Game, "ladderId" | "sessions">,
): void {
  const { everywhere, on } = occupancy;
  occupancy.house += Number(hasHouse(sessions));
  for (const usage of [everywhere, on.getOrInsertComputed(ladderId, unused)]) {
    usage.matches += 1;
    for (const { bot } of sessions)
      usage.seats.set(bot.ownerId, (usage.seats.get(bot.ownerId) ?? 0) + 1);
  }
}

export const hasHouse = (sessions: Game["sessions"]): boolean =>
  sessions.some(({ bot }) => bot.house);

/** Matches with a house bot that the server has room for. */
export const houseRoom = ({ deps }: ArenaState, { house }: Occupancy): number =>
  deps.settings.current().house_concurrency - house;

export const usageOn = ({ on }: Occupancy, ladderId: LadderId): Usage =>
  on.get(ladderId) ?? unused();

/** Matches that the ladder's bound still allows an owner there. */
export function ownerRoomOn(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  owner: string,
): number {
  const taken = usageOn(occupancy, ladder.id).seats.get(owner) ?? 0;
  return boundsOn(arena, ladder).ownerConcurrency - taken;
}

/** Matches that an owner may still start on a ladder, by its bound and the server's. */
export function ownerRoom(
  arena: ArenaState,
  ladder: LadderDefinition,
  occupancy: Occupancy,
  owner: string,
): number {
  const { owner_concurrency } = arena.deps.settings.current();
  const room = owner_concurrency - (occupancy.everywhere.seats.get(owner) ?? 0);
  return Math.min(room, ownerRoomOn(arena, ladder, occupancy, owner));
}
