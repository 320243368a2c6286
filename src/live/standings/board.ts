// Published ratings, from committed matches only.

import type { Competition } from "#core/ladder/season.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";
import { readIntervalMs } from "#live/matchmaker/board-refresh.ts";
import type { BoardEntry, BoardPage } from "#live/matchmaker/matchmaker.ts";

export type Board = {
  entries(): ReadonlyMap<string, BoardEntry>;
  /** Call when a match was rated and is being stored. */
  begin(sequence: number): void;
  /** Call when the match is stored. */
  commit(sequence: number): void;
  /** Call when the match was reverted. Pages that include it are discarded. */
  abandon(sequence: number): void;
  refresh(): Promise<void>;
  /** Stops reading, even if a pending response would cause another read. */
  close(): void;
};

/** Returns a board that no longer changes. */
export function frozenBoard(entries: ReadonlyMap<string, BoardEntry>): Board {
  const noop = () => {};
  return {
    entries: () => entries,
    begin: noop,
    commit: noop,
    abandon: noop,
    refresh: async () => {},
    close: noop,
  };
}

export function openBoard(
  { matchmaker, clock, log }: Pick<ArenaDeps, "matchmaker" | "clock" | "log">,
  competition: Competition,
): Board {
  const pendingSequences = new Set<number>();
  let entries: ReadonlyMap<string, BoardEntry> = new Map();
  let pendingPage: BoardPage | null = null;
  const pageReader = openPageReader(() => matchmaker.board(competition));
  let isDue = false;
  let isClosed = false;
  /** Time of the last read, in µs. */
  let lastReadAt = -Infinity;
  let cancel = () => {};

  /** Publishes the page once all its matches are stored. */
  function publishIfCommitted(): void {
    const { lastSequence = -1 } = pendingPage ?? {};
    if (pendingPage === null || [...pendingSequences].some((sequence) => sequence <= lastSequence))
      return;
    entries = new Map(pendingPage.lines.map((line) => [line.versionId, line]));
    if (!pendingPage.isExact) scheduleRefresh();
    pendingPage = null;
  }

  async function refresh(): Promise<void> {
    isDue = false;
    lastReadAt = clock.now();
    if (pendingPage === null && !pageReader.isReading()) pendingPage = await pageReader.page();
    else scheduleRefresh();
    publishIfCommitted();
  }

  /** On a quiet ladder, a result shows immediately; on a busy one, many results share a read. */
  function scheduleRefresh(): void {
    if (isDue || isClosed) return;
    isDue = true;
    const wait = readIntervalMs(entries.size) - (clock.now() - lastReadAt) / 1000;
    cancel = clock.after(Math.max(0, wait), () => {
      refresh().catch((error: unknown) => {
        // The matchmaker may close during a read.
        if (!isClosed) log.error({ error }, "could not read board");
      });
    });
  }

  return {
    entries: () => entries,
    begin: (sequence) => pendingSequences.add(sequence),
    commit: (sequence) => {
      pendingSequences.delete(sequence);
      publishIfCommitted();
      scheduleRefresh();
    },
    abandon: (sequence) => {
      pendingSequences.delete(sequence);
      pendingPage = null;
      pageReader.invalidate();
      scheduleRefresh();
    },
    refresh,
    close: () => {
      isClosed = true;
      cancel();
    },
  };
}

/** Reads one page at a time: a busy matchmaker would only respond to several requests later. */
function openPageReader(fetchPage: () => Promise<BoardPage>) {
  let currentRead: { isInvalid: boolean } | null = null;
  return {
    isReading: () => currentRead !== null,
    /** A match was reverted, and the page being read may include it. */
    invalidate: () => {
      if (currentRead !== null) currentRead.isInvalid = true;
    },
    /** Returns null for a page that has become invalid. */
    page: async () => {
      const thisRead = { isInvalid: false };
      currentRead = thisRead;
      try {
        const readPage = await fetchPage();
        return thisRead.isInvalid ? null : readPage;
      } finally {
        currentRead = null;
      }
    },
  };
}
