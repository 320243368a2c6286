// An arena that shows what a test puts into it and remembers what it is told.

import type { ArenaView, OnlineBot, RunningMatch } from "#arena/view.ts";
import type { BoardEntry } from "#judge/judge.ts";

export type FakeArena = ArenaView & {
  entries: Map<string, BoardEntry>;
  bots: OnlineBot[];
  matches: RunningMatch[];
  /** What changed elsewhere, in the order it was told, as words. */
  told: string[];
};

export function fakeArena(): FakeArena {
  const told: string[] = [];
  const arena: FakeArena = {
    entries: new Map(),
    bots: [],
    matches: [],
    told,
    board: () => arena.entries,
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
