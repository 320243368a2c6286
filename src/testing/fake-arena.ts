// An arena that shows what a test puts into it and remembers what it is told.

import type { ArenaView, OnlineBot, RunningMatch } from "#arena/view.ts";
import type { BoardEntry } from "#judge/judge.ts";

export type FakeArena = ArenaView & {
  /** Of the live season. */
  entries: Map<string, BoardEntry>;
  live: string;
  /** Boards of seasons that are closing. */
  closing: Map<string, ReadonlyMap<string, BoardEntry>>;
  bots: OnlineBot[];
  matches: RunningMatch[];
  /** What changed elsewhere, in the order it was told, as words. */
  told: string[];
};

export function fakeArena(): FakeArena {
  const told: string[] = [];
  let board: ReadonlyMap<string, BoardEntry> = new Map();
  const arena: FakeArena = {
    entries: new Map(),
    live: "2026-01",
    closing: new Map(),
    bots: [],
    matches: [],
    told,
    board: (_, season = arena.live) => {
      if (season !== arena.live) return arena.closing.get(season) ?? NO_ENTRIES;
      if (hasMoved(board, arena.entries)) board = new Map(arena.entries);
      return board;
    },
    seasons: () => ({ live: arena.live, closing: [...arena.closing.keys()] }),
    online: () => arena.bots,
    running: () => arena.matches,
    capacity: () => ({ running: arena.matches.length, max: 320 }),
    draining: () => false,
    tokenRotated: (botId) => void told.push(`rotated ${botId}`),
    botRemoved: (botId, why) => void told.push(`removed ${botId} ${why}`),
    versionRetired: (botId, label) => void told.push(`version retired ${botId} ${label}`),
  };
  return arena;
}

const NO_ENTRIES: ReadonlyMap<string, BoardEntry> = new Map();

/** A board that moved is a new one. */
function hasMoved(board: ReadonlyMap<string, BoardEntry>, entries: Map<string, BoardEntry>) {
  if (board.size !== entries.size) return true;
  return [...entries].some(([id, entry]) => board.get(id) !== entry);
}
