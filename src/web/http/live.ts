// Arena, ladders and events as answers read them: what they read is noted, and changes to it are noticed.

import type { Revisions } from "#base/cache/revisions.ts";
import type { LiveEvents } from "#core/events/events.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { ArenaView } from "#live/arena/view.ts";

export type LiveArena = ArenaView & {
  /** Ids of the bots with an open socket. */
  onlineIds(): ReadonlySet<string>;
};

/**
 * The same arena. Its lists are read once per job of the event loop, and stay the same lists until
 * something in them changes. They must not be changed.
 */
export function watchArena(arena: ArenaView, { watch, apart }: Revisions): LiveArena {
  type Board = ReturnType<ArenaView["board"]>;
  const boards = new Map<string, () => Board>();
  const online = watch("online", () => Object.freeze(arena.online()), isAlikeList);
  return {
    ...arena,
    board: (ladderId, season) => {
      const name = `board:${ladderId}:${season ?? ""}`;
      const look = () => arena.board(ladderId, season);
      return boards.getOrInsertComputed(name, () => watch(name, look))();
    },
    seasons: watch("live seasons", () => arena.seasons(), isAlike),
    online,
    onlineIds: watch(
      "online ids",
      () => new Set(apart(online).flatMap((session) => (session.online ? session.botId : []))),
      (one, other) => one.size === other.size && one.isSubsetOf(other),
    ),
    running: watch("running", () => Object.freeze(arena.running()), isAlikeList),
    capacity: watch("capacity", () => arena.capacity(), isAlike),
    draining: watch("draining", () => arena.draining()),
  };
}

/** The same ladders. One that has changed is another object. */
export function watchLadders(ladders: Ladders, { watch }: Revisions): Ladders {
  const turnovers = new Map<string, () => number>();
  const all = watch("live ladders", () => ladders.all(), isSameList);
  return {
    ...ladders,
    all,
    byId: (id) => all().find((ladder) => ladder.id === id) ?? null,
    lists: (bot, id) => {
      const look = () => ladders.turnover(id);
      turnovers.getOrInsertComputed(id, () => watch(`live members:${id}`, look))();
      all();
      return ladders.lists(bot, id);
    },
  };
}

/** The same events. One that has changed is another object. */
export function watchEvents(events: LiveEvents, { watch }: Revisions): LiveEvents {
  const see = watch("live events", () => events.all(), isSameList);
  return {
    ...events,
    all: () => {
      see();
      return events.all();
    },
    byId: (id) => {
      see();
      return events.byId(id);
    },
    onLadder: (ladderId) => {
      see();
      return events.onLadder(ladderId);
    },
  };
}

/** Of the very same objects. */
function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((row, at) => row === other[at]);
}

function isAlikeList<T extends object>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((row, at) => isAlike(row, other[at]));
}

/** For values of the same shape; inner lists are compared as text. */
function isAlike<T extends object>(one: T, other: T | undefined): boolean {
  if (other === undefined) return false;
  for (const key in one) {
    const [here, there] = [one[key], other[key]];
    if (here !== there && String(here) !== String(there)) return false;
  }
  return true;
}
