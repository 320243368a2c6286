// What a bot is told of its practice game. Pure.

import { seatFigures } from "#core/ladder/seat-figures.ts";
import { versionHealth } from "#core/ladder/version-health.ts";
import type { Practice, PracticeError, PracticeResult } from "#core/resources/practice.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Saved } from "#live/arena/save-match.ts";
import { winnerOf } from "#live/match/verdict.ts";

import type { PracticeGame } from "./book.ts";

/** What a bot did wrong, as it happened. */
export type ErrorNotes = { note(error: PracticeError): void; all(): PracticeError[] };

/** Keeps the first ones: what follows is mostly more of the same, and is counted anyway. */
export function openNotes(): ErrorNotes {
  const errors: PracticeError[] = [];
  return {
    note: (error) => {
      if (errors.length < FIXED.practice_errors) errors.push(error);
    },
    all: () => [...errors],
  };
}

/** The figures are those of the match's statistics; a void game has none. */
export function resultOf(
  { verdict, stats }: Pick<Saved, "verdict" | "stats">,
  { seat, botIds }: { seat: number; botIds: readonly string[] },
  errors: PracticeError[],
): PracticeResult {
  const winner = winnerOf(verdict);
  const turns = seatFigures(stats)[seat]?.turns ?? null;
  const times = turns && versionHealth(turns).reply_ms;
  return {
    winner: winner === null ? null : (botIds[winner] ?? null),
    reason: verdict.reason,
    replies: times?.replies ?? 0,
    p50_ms: times?.p50 ?? null,
    p95_ms: times?.p95 ?? null,
    max_ms: times?.max ?? null,
    idles: turns?.idles ?? {},
    refused: turns?.refused ?? {},
    errors,
  };
}

export function practiceView({ id, state }: PracticeGame): Practice {
  return {
    id,
    state: state.name,
    match_id: "matchId" in state ? state.matchId : null,
    result: "result" in state ? state.result : null,
  };
}
