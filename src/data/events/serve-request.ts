import type { OpenTransaction } from "#data/queries/tables.ts";
import type { FinishedMatch } from "#data/store/match.ts";

/**
 * Marks the request of a match served, in the transaction that stores it; also one that was
 * cancelled when the match had begun. A void match serves nothing.
 */
export async function serveRequest(
  open: OpenTransaction,
  { id, started, voided, requestId }: FinishedMatch,
): Promise<void> {
  if (requestId === null || voided) return;
  await open
    .updateTable("opponent_requests")
    .set({ state: "served", started, match_id: id })
    .where("id", "=", requestId)
    .where("state", "<>", "served")
    .execute();
}
