// Prints the messages of the watch socket. They contain no seed, hash, response time or budget.

import { fighterIdAt } from "#core/engine/types.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { MatchSetup } from "#live/match/match-setup.ts";
import { winnerOf } from "#live/match/verdict.ts";
import type { Verdict } from "#live/match/verdict.ts";

import type { WatchDelay } from "./match-feed.ts";

export function printWatching(setup: MatchSetup, delay: WatchDelay): string {
  const { matchId, ladderId, mode, grid, fighters } = setup;
  return JSON.stringify({
    type: "watching",
    match_id: matchId,
    ladder_id: ladderId,
    mode,
    map: { name: grid.name, rows: grid.rows },
    fighters: fighters.map(({ id, name, version }) => ({ id, name, version })),
    delay_ticks: delay.ticks,
    delay_ms: delay.seconds * 1000,
  });
}

/** `frames` are JSON texts, oldest first. */
export const printFrames = (matchId: MatchId, frames: readonly string[]): string =>
  `{"type":"frames","match_id":${JSON.stringify(matchId)},"frames":[${frames.join(",")}]}`;

/** Sent after the last frame, before the result is stored. */
export const printOver = (matchId: MatchId): string =>
  JSON.stringify({ type: "over", match_id: matchId });

/** Sent once the result is stored. */
export function printStored(matchId: MatchId, verdict: Verdict): string {
  const winner = winnerOf(verdict);
  return JSON.stringify({
    type: "stored",
    match_id: matchId,
    winner: winner === null ? null : fighterIdAt(winner),
    reason: verdict.reason,
    voided: verdict.kind === "void",
  });
}

/** Sent to watchers of a ladder on which no match is running. */
export const IDLE_TEXT = JSON.stringify({ type: "idle" });
