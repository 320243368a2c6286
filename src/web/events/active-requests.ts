// Opponent requests that can still be served. If an event closes or a bot is removed, the store
// keeps the request as pending until the next pairing wave cancels it.

import { opponentRequestRules } from "#core/events/live-events.ts";
import { isBotAvailable } from "#core/events/opponent-request.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { AccountId, EventId } from "#core/ids/ids.ts";
import type { ApiDeps } from "#web/http/deps.ts";

type Deps = Pick<ApiDeps, "store" | "events" | "clock" | "arena">;

/** Returns the pending requests that are being played or can still be served. */
export async function activeRequests(
  { store, events, clock, arena }: Deps,
  pending: readonly OpponentRequest[],
): Promise<OpponentRequest[]> {
  const { isEventOpen } = opponentRequestRules(events, () => clock().toISOString());
  const bots = await store.bots.byIds(pending.map(({ botId }) => botId));
  return pending.filter((request) => {
    const { id, eventId, accountId, botId } = request;
    const currentRequest = arena.opponentRequestState(eventId, accountId);
    if (currentRequest?.state === "playing" && currentRequest.request.id === id) return true;
    const bot = bots.find((item) => item.id === botId) ?? null;
    return isEventOpen(eventId) && isBotAvailable(request, bot);
  });
}

/** Returns the account's pending request. Null if it can't be served any more. */
export async function findActiveRequest(
  deps: Deps,
  pending: OpponentRequest | null,
): Promise<OpponentRequest | null> {
  if (pending === null) return null;
  const [activeRequest = null] = await activeRequests(deps, [pending]);
  return activeRequest;
}

export async function dropStaleRequest(
  { store, arena }: Deps,
  { id }: OpponentRequest,
): Promise<void> {
  arena.onRequestCancelled(id);
  await withRequestReconciliation(arena, () => store.requests.cancelById(id));
}

/** Cancels in the arena first, so that no match starts for a request the store has cancelled. */
export async function cancelOpponentRequest(
  { store, arena }: Deps,
  eventId: EventId,
  accountId: AccountId,
): Promise<void> {
  const currentRequest = arena.opponentRequestState(eventId, accountId);
  if (currentRequest?.state === "playing") return;
  if (currentRequest !== null) arena.onRequestCancelled(currentRequest.request.id);
  const cancelledRequest = await withRequestReconciliation(arena, () =>
    store.requests.cancel(eventId, accountId),
  );
  if (cancelledRequest !== null) arena.onRequestCancelled(cancelledRequest.id);
}

/**
 * Runs a write on requests. The write may have been stored even if it fails, so the arena re-reads
 * its requests.
 */
export async function withRequestReconciliation<T>(
  arena: ApiDeps["arena"],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    arena.reconcileRequests();
    throw error;
  }
}
