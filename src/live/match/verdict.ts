import type { EndReason } from "#core/engine/types.ts";

/**
 * `winner` is a seat. A match is void, with no winner or loser, if neither bot was ready or the
 * server failed.
 */
export type Verdict =
  | { readonly kind: "won"; readonly winner: number; readonly reason: EndReason }
  | { readonly kind: "drawn"; readonly reason: EndReason }
  | { readonly kind: "void"; readonly reason: "forfeit" | "server_fault" };

export const NOBODY_READY: Verdict = { kind: "void", reason: "forfeit" };
export const SERVER_FAULT: Verdict = { kind: "void", reason: "server_fault" };

/** Returns the result of a match that counts. A null winner means a draw. */
export function verdictFor(winner: number | null, reason: EndReason): Verdict {
  return winner === null ? { kind: "drawn", reason } : { kind: "won", winner, reason };
}

/** Returns the winner's seat, or null for a draw or a void match. */
export function winnerOf(verdict: Verdict): number | null {
  return verdict.kind === "won" ? verdict.winner : null;
}
