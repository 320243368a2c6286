// The ratings that may be shown: those of committed games only.

import type { Competition } from "#core/ladder/season.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import type { BoardEntry, BoardPage } from "#live/matchmaker/matchmaker.ts";
import { readingMs } from "#live/matchmaker/refresh.ts";

export type Board = {
  entries(): ReadonlyMap<string, BoardEntry>;
  /** A game was rated and is on its way to the store. */
  begin(sequence: number): void;
  /** The game is stored. */
  commit(sequence: number): void;
  /** The game was taken back: pages that include it are void. */
  abandon(sequence: number): void;
  refresh(): Promise<void>;
  /** Asks the matchmaker no more, even if an answer still to come calls for it. */
  close(): void;
};

/** A board that changes no more. */
export function settledBoard(entries: ReadonlyMap<string, BoardEntry>): Board {
  const nothing = () => {};
  return {
    entries: () => entries,
    begin: nothing,
    commit: nothing,
    abandon: nothing,
    refresh: async () => {},
    close: nothing,
  };
}

export function openBoard(
  { matchmaker, clock, log }: Pick<ArenaDeps, "matchmaker" | "clock" | "log">,
  competition: Competition,
): Board {
  const underway = new Set<number>();
  let entries: ReadonlyMap<string, BoardEntry> = new Map();
  let held: BoardPage | null = null;
  const reading = openReading(() => matchmaker.board(competition));
  let isDue = false;
  let isClosed = false;
  /** When the matchmaker was last asked, in µs. */
  let read = -Infinity;
  let cancel = () => {};

  /** Shows the page once none of the games it includes is underway. */
  function settle(): void {
    const { upTo = -1 } = held ?? {};
    if (held === null || [...underway].some((sequence) => sequence <= upTo)) return;
    entries = new Map(held.lines.map((line) => [line.versionId, line]));
    if (!held.isExact) request();
    held = null;
  }

  async function refresh(): Promise<void> {
    isDue = false;
    read = clock.now();
    if (held === null && !reading.isUnderWay()) held = await reading.page();
    else request();
    settle();
  }

  /** On a quiet ladder a result is seen at once; on a busy one many results share a reading. */
  function request(): void {
    if (isDue || isClosed) return;
    isDue = true;
    const wait = readingMs(entries.size) - (clock.now() - read) / 1000;
    cancel = clock.after(Math.max(0, wait), () => {
      refresh().catch((error: unknown) => {
        // The matchmaker may close while it is asked.
        if (!isClosed) log.error({ error }, "the board could not be read");
      });
    });
  }

  return {
    entries: () => entries,
    begin: (sequence) => underway.add(sequence),
    commit: (sequence) => {
      underway.delete(sequence);
      settle();
      request();
    },
    abandon: (sequence) => {
      underway.delete(sequence);
      held = null;
      reading.void();
      request();
    },
    refresh,
    close: () => {
      isClosed = true;
      cancel();
    },
  };
}

/** Reads one page at a time: a busy matchmaker would only answer many questions late. */
function openReading(ask: () => Promise<BoardPage>) {
  let current: { isVoid: boolean } | null = null;
  return {
    isUnderWay: () => current !== null,
    /** A game was taken back, and the page under way may include it. */
    void: () => {
      if (current !== null) current.isVoid = true;
    },
    /** Null for a page that is void by now. */
    page: async () => {
      const own = { isVoid: false };
      current = own;
      try {
        const page = await ask();
        return own.isVoid ? null : page;
      } finally {
        current = null;
      }
    },
  };
}
