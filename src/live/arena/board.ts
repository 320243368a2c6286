// The ratings that the world may see: those of committed games alone.

import type { Competition } from "#core/ladder/season.ts";
import type { BoardEntry, BoardPage } from "#live/matchmaker/matchmaker.ts";
import { readingMs } from "#live/matchmaker/refresh.ts";

import type { ArenaDeps } from "./deps.ts";

export type Board = {
  entries(): ReadonlyMap<string, BoardEntry>;
  /** A game was rated and is on its way to the store. */
  begin(sequence: number): void;
  /** It is stored. */
  commit(sequence: number): void;
  /** It was taken back: pages that count it are void. */
  abandon(sequence: number): void;
  refresh(): Promise<void>;
  /** Asks the matchmaker no more, whatever an answer that is still to come says. */
  close(): void;
};

export function openBoard(
  { matchmaker, clock, log }: Pick<ArenaDeps, "matchmaker" | "clock" | "log">,
  competition: Competition,
): Board {
  const underway = new Set<number>();
  let entries: ReadonlyMap<string, BoardEntry> = new Map();
  let held: BoardPage | null = null;
  let isDue = false;
  let isClosed = false;
  /** When the matchmaker was asked last, in µs. */
  let read = -Infinity;
  let cancel = () => {};

  /** Shows the page once no game that it counts is still underway. */
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
    if (held === null) held = await matchmaker.board(competition);
    else request();
    settle();
  }

  /** A result is seen at once on a quiet ladder; on a busy one many share a reading. */
  function request(): void {
    if (isDue || isClosed) return;
    isDue = true;
    const wait = readingMs(entries.size) - (clock.now() - read) / 1000;
    cancel = clock.after(Math.max(0, wait), () => {
      refresh().catch((error: unknown) => log.error({ error }, "the board could not be read"));
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
      request();
    },
    refresh,
    close: () => {
      isClosed = true;
      cancel();
    },
  };
}
