// How many more matches may run: on the server, on one ladder, and for one owner.

import { capacityOf } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";

import type { ArenaState } from "./arena-state.ts";
import type { Game } from "./session.ts";

/** Matches that the server has room for. */
export const serverRoom = ({ deps, games }: ArenaState): number =>
  deps.settings.current().max_concurrent - games.size;

/** Matches that a ladder has room for, within the server's room. */
export function roomOn(arena: ArenaState, ladderId: LadderId): number {
  const ladder = arena.deps.ladders.byId(ladderId);
  if (ladder === null) return 0;
  const { maxConcurrent } = capacityOf(ladder, arena.deps.settings.current());
  return Math.min(serverRoom(arena), maxConcurrent - gamesOn(arena, ladderId).length);
}

const gamesOn = ({ games }: ArenaState, ladderId: LadderId): Game[] =>
  [...games.values()].filter((game) => game.ladderId === ladderId);

/** Seats that owners' bots hold in running matches. */
type Seats = ReadonlyMap<string, number>;

/** Seats on all ladders, and seats on one. */
export type OwnerSeats = { everywhere: Seats; here: Seats };

export function ownerSeats(arena: ArenaState, ladderId: LadderId): OwnerSeats {
  return {
    everywhere: seatsIn([...arena.games.values()]),
    here: seatsIn(gamesOn(arena, ladderId)),
  };
}

function seatsIn(games: readonly Game[]): Seats {
  const seats = new Map<string, number>();
  for (const { sessions } of games)
    for (const { bot } of sessions) {
      const owner = bot.ownerId;
      seats.set(owner, (seats.get(owner) ?? 0) + 1);
    }
  return seats;
}

/** Matches that the ladder's bound still allows an owner there. */
export function ownerRoomOn(
  { ownerConcurrency }: LadderDefinition,
  { here }: OwnerSeats,
  owner: string,
): number {
  return (ownerConcurrency ?? Infinity) - (here.get(owner) ?? 0);
}

/** Matches that an owner may still start on a ladder, by its bound and the server's. */
export function ownerRoom(
  { deps }: ArenaState,
  ladder: LadderDefinition,
  seats: OwnerSeats,
  owner: string,
): number {
  const { owner_concurrency } = deps.settings.current();
  const room = owner_concurrency - (seats.everywhere.get(owner) ?? 0);
  return Math.min(room, ownerRoomOn(ladder, seats, owner));
}
