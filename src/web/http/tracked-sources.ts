// Wraps arena, ladders and events for the response cache, which tracks reads and detects changes.

import type { Revisions } from "#base/cache/revisions.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import type { ArenaView } from "#live/arena/arena-view.ts";

export type TrackedArena = ArenaView & {
  /** Ids of bots with an open socket. */
  onlineIds(): ReadonlySet<string>;
};

/**
 * Wraps the arena. Lists are read once per turn of the event loop and keep their identity until
 * they change. Callers must not modify them.
 */
export function trackArena(arena: ArenaView, { watch, untracked }: Revisions): TrackedArena {
  type Board = ReturnType<ArenaView["board"]>;
  const boards = new Map<string, () => Board>();
  const online = watch("online", () => Object.freeze(arena.onlineBots()), isShallowEqualList);
  return {
    ...arena,
    board: (ladderId, season) => {
      const name = `board:${ladderId}:${season ?? ""}`;
      const read = () => arena.board(ladderId, season);
      return boards.getOrInsertComputed(name, () => watch(name, read))();
    },
    seasons: watch("live seasons", () => arena.seasons(), isShallowEqual),
    onlineBots: online,
    onlineIds: watch(
      "online ids",
      () => new Set(untracked(online).flatMap((session) => (session.online ? session.botId : []))),
      (a, b) => a.size === b.size && a.isSubsetOf(b),
    ),
    runningMatches: watch(
      "running",
      () => Object.freeze(arena.runningMatches()),
      isShallowEqualList,
    ),
    capacity: watch("capacity", () => arena.capacity(), isShallowEqual),
    isDraining: watch("draining", () => arena.isDraining()),
  };
}

/** Wraps the ladders. Changing a ladder replaces its object. */
export function trackLadders(ladders: LiveLadders, { watch }: Revisions): LiveLadders {
  const turnovers = new Map<string, () => number>();
  const all = watch("live ladders", () => ladders.list(), isSameList);
  return {
    ...ladders,
    list: all,
    byId: (id) => all().find((ladder) => ladder.id === id) ?? null,
    isListed: (bot, id) => {
      const read = () => ladders.membershipRevision(id);
      turnovers.getOrInsertComputed(id, () => watch(`live members:${id}`, read))();
      all();
      return ladders.isListed(bot, id);
    },
  };
}

/** Wraps the events. Changing an event replaces its object. */
export function trackEvents(events: LiveEvents, { watch }: Revisions): LiveEvents {
  const readAll = watch("live events", () => events.list(), isSameList);
  return {
    ...events,
    list: () => {
      readAll();
      return events.list();
    },
    byId: (id) => {
      readAll();
      return events.byId(id);
    },
    onLadder: (ladderId) => {
      readAll();
      return events.onLadder(ladderId);
    },
  };
}

/** Compares the items by identity. */
function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((row, index) => row === b[index]);
}

function isShallowEqualList<T extends object>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((row, index) => isShallowEqual(row, b[index]));
}

/** Compares objects of the same shape. Compares nested lists as text. */
function isShallowEqual<T extends object>(a: T, b: T | undefined): boolean {
  if (b === undefined) return false;
  for (const key in a) {
    const [left, right] = [a[key], b[key]];
    if (left !== right && String(left) !== String(right)) return false;
  }
  return true;
}
