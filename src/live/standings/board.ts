// Published ratings. Only stored matches are included.

import type { Competition } from "#core/ladder/season.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";
import { readIntervalMs } from "#live/matchmaker/board-refresh.ts";
import type { BoardEntry, BoardPage } from "#live/matchmaker/matchmaker.ts";

export type Board = {
  entries(): ReadonlyMap<string, BoardEntry>;
  /** Call after rating a match, before storing it. */
  begin(sequence: number): void;
  /** Call after storing the match. */
  commit(sequence: number): void;
  /** Call after reverting the match. Pages that include it are discarded. */
  abandon(sequence: number): void;
  refresh(): Promise<void>;
  /** Stops reading, even while a response is pending. */
  close(): void;
};

/** Returns a board that never changes. */
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
  /** When the board was last read, in µs. */
  let lastReadAt = -Infinity;
  let cancel = () => {};

  /** Publishes the pending page once all its matches are stored. */
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

  /**
   * A result appears immediately on a quiet ladder. On a busy ladder, many results share one read.
   */
  function scheduleRefresh(): void {
    if (isDue || isClosed) return;
    isDue = true;
    const wait = readIntervalMs(entries.size) - (clock.now() - lastReadAt) / 1000;
    cancel = clock.after(Math.max(0, wait), () => {
      refresh().catch((error: unknown) => {
        // The matchmaker may be closed during a read.
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

/** Reads one page at a time. A busy matchmaker would only respond to further requests later. */
function openPageReader(fetchPage: () => Promise<BoardPage>) {
  let currentRead: { isInvalid: boolean } | null = null;
  return {
    isReading: () => currentRead !== null,
    /** Call when a match is reverted. The page being read may include it. */
    invalidate: () => {
      if (currentRead !== null) currentRead.isInvalid = true;
    },
    /** Resolves with null if the page was invalidated during the read. */
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
