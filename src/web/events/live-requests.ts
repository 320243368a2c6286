// Opponent requests that can still be served. The store keeps a request of a closed event or a gone
// bot as pending until the next pairing wave cancels it.

import { servingRules } from "#core/events/events.ts";
import { isBotAvailable } from "#core/events/request.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import type { AccountId, EventId } from "#core/words/ids.ts";
import type { ApiDeps } from "#web/http/deps.ts";

type Deps = Pick<ApiDeps, "store" | "events" | "clock" | "arena">;

/** Pending requests that are being played or can still be served. */
export async function liveRequests(
  { store, events, clock, arena }: Deps,
  pending: readonly OpponentRequest[],
): Promise<OpponentRequest[]> {
  const { isEventOpen } = servingRules(events, () => clock().toISOString());
  const bots = await store.bots.byIds(pending.map(({ botId }) => botId));
  return pending.filter((request) => {
    const { id, eventId, accountId, botId } = request;
    const running = arena.requestOf(eventId, accountId);
    if (running?.state === "playing" && running.request.id === id) return true;
    const bot = bots.find((one) => one.id === botId) ?? null;
    return isEventOpen(eventId) && isBotAvailable(request, bot);
  });
}

/** The account's pending request, if it is live. */
export async function liveRequest(
  deps: Deps,
  pending: OpponentRequest | null,
): Promise<OpponentRequest | null> {
  if (pending === null) return null;
  const [live = null] = await liveRequests(deps, [pending]);
  return live;
}

/** Cancels a request that can't be served, so that the account can make another one. */
export async function dropStale({ store, arena }: Deps, { id }: OpponentRequest): Promise<void> {
  arena.requestCancelled(id);
  await inDoubt(arena, () => store.requests.drop(id));
}

/** Cancels in the arena first, so that no match starts for a request that the store cancels. */
export async function takeBack(
  { store, arena }: Deps,
  eventId: EventId,
  accountId: AccountId,
): Promise<void> {
  const known = arena.requestOf(eventId, accountId);
  if (known?.state === "playing") return;
  if (known !== null) arena.requestCancelled(known.request.id);
  const cancelled = await inDoubt(arena, () => store.requests.cancel(eventId, accountId));
  if (cancelled !== null) arena.requestCancelled(cancelled.id);
}

/** A failed write may have been stored, so the arena re-reads its requests. */
export async function inDoubt<T>(arena: ApiDeps["arena"], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    arena.requestsInDoubt();
    throw error;
  }
}
