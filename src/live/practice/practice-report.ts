import type { Practice, PracticeError, PracticeResult } from "#core/api/practice.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import { versionHealth } from "#core/ladder/version-health.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { SavedResult } from "#live/arena/save-match.ts";
import { winnerOf } from "#live/match/verdict.ts";

import type { PracticeMatch } from "./practice-book.ts";

export type PracticeErrorLog = { add(error: PracticeError): void; entries(): PracticeError[] };

/** Keeps only the first errors, because later errors mostly repeat them. */
export function openPracticeErrorLog(): PracticeErrorLog {
  const errors: PracticeError[] = [];
  return {
    add: (error) => {
      if (errors.length < FIXED_LIMITS.practice_errors) errors.push(error);
    },
    entries: () => [...errors],
  };
}

/** Returns the report of a match, based on its statistics. A void match has no statistics. */
export function practiceResultOf(
  { verdict, stats }: Pick<SavedResult, "verdict" | "stats">,
  { seat, botIds }: { seat: number; botIds: readonly string[] },
  errors: PracticeError[],
): PracticeResult {
  const winner = winnerOf(verdict);
  const turns = parseSeatStats(stats)[seat]?.turns ?? null;
  const replyTimes = turns && versionHealth(turns).reply_ms;
  return {
    winner: winner === null ? null : (botIds[winner] ?? null),
    reason: verdict.reason,
    replies: replyTimes?.replies ?? 0,
    p50_ms: replyTimes?.p50 ?? null,
    p95_ms: replyTimes?.p95 ?? null,
    max_ms: replyTimes?.max ?? null,
    idles: turns?.idles ?? {},
    refused: turns?.refused ?? {},
    errors,
  };
}

export function practiceView({ id, state }: PracticeMatch): Practice {
  return {
    id,
    state: state.name,
    match_id: "matchId" in state ? state.matchId : null,
    result: "result" in state ? state.result : null,
  };
}
