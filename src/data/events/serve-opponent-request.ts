import type { OpenTransaction } from "#data/queries/tables.ts";
import type { FinishedMatch } from "#data/store/match.ts";

/**
 * Marks the opponent request of a match as served, in the transaction that stores the match.
 * Applies even if the request was cancelled after the match started. A void match serves no
 * request.
 */
export async function serveRequest(
  tx: OpenTransaction,
  { id, started, voided, requestId }: FinishedMatch,
): Promise<void> {
  if (requestId === null || voided) return;
  await tx
    .updateTable("opponent_requests")
    .set({ state: "served", started, match_id: id })
    .where("id", "=", requestId)
    .where("state", "<>", "served")
    .execute();
}
