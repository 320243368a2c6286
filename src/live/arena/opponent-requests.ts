// Opponent requests: an account asks for a match between its bot and a house bot. Tracks the
// requests that no stored match has served yet.

import { isBotAvailable } from "#core/events/opponent-request.ts";
import type { OpponentRequest } from "#core/events/opponent-request.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { AccountId, BotId, EventId, LadderId, MatchId, RequestId } from "#core/ids/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";

import type { ArenaState } from "./arena-state.ts";
import type { RequestState } from "./arena-view.ts";

/** Loads pending requests from the store and closes requests whose bot is gone. */
export async function loadRequests(arena: ArenaState): Promise<void> {
  const { store } = arena.deps;
  const changesBefore = arena.requestChanges;
  const pending = await store.requests.pending();
  const bots = await store.bots.byIds(pending.map(({ botId }) => botId));
  // Requests changed during the read, so the result is stale.
  if (arena.requestChanges !== changesBefore) return loadRequests(arena);
  const ids = new Set(pending.map(({ id }) => id));
  for (const [id, { matchId }] of arena.requests)
    if (matchId === null && !ids.has(id)) untrackRequest(arena, id);
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  for (const request of pending) {
    trackRequest(arena, request);
    closeOrphanedRequests(arena, request.botId, byId.get(request.botId) ?? null);
  }
}

export function trackRequest(arena: ArenaState, request: OpponentRequest): void {
  const { requests } = arena;
  arena.requestChanges += 1;
  if (!requests.has(request.id))
    requests.set(request.id, { request, matchId: null, isOver: false });
}

function untrackRequest(arena: ArenaState, id: RequestId): void {
  arena.requestChanges += 1;
  arena.requests.delete(id);
}

/** Stops tracking a cancelled request. A match it has already started continues. */
export function cancelRequest(arena: ArenaState, id: RequestId): void {
  const trackedRequest = arena.requests.get(id);
  arena.requestChanges += 1;
  if (trackedRequest === undefined) return;
  trackedRequest.isOver = true;
  if (trackedRequest.matchId === null) untrackRequest(arena, id);
}

/**
 * Returns an account's open request in an event, or null. A pending request counts as closed when
 * its event closes, before `dropClosedRequests` cancels it in the store.
 */
export function requestStateOf(
  { deps, requests }: ArenaState,
  eventId: EventId,
  accountId: AccountId,
): RequestState | null {
  const accountRequests = requests
    .values()
    .filter(({ request }) => request.eventId === eventId && request.accountId === accountId)
    .toArray();
  const playingRequest = accountRequests.find(({ matchId }) => matchId !== null);
  if (playingRequest !== undefined)
    return { request: playingRequest.request, state: "playing", matchId: playingRequest.matchId };
  const pendingRequest = deps.isEventOpen(eventId)
    ? accountRequests.find(({ isOver }) => !isOver)
    : undefined;
  return pendingRequest
    ? { request: pendingRequest.request, state: "pending", matchId: null }
    : null;
}

/** Closes a bot's requests if the bot was deleted (null) or can no longer play. */
export function closeOrphanedRequests(
  { requests }: ArenaState,
  botId: BotId,
  bot: BotRecord | null,
): void {
  for (const trackedRequest of requests.values())
    if (trackedRequest.request.botId === botId && !isBotAvailable(trackedRequest.request, bot))
      trackedRequest.isOver = true;
}

/**
 * Cancels requests in the store whose bot is gone or whose event has closed. Rejects if the store
 * fails; the next call retries.
 */
export async function dropClosedRequests(arena: ArenaState): Promise<void> {
  const { deps, requests } = arena;
  for (const [id, trackedRequest] of requests) {
    trackedRequest.isOver ||= !deps.isEventOpen(trackedRequest.request.eventId);
    if (!trackedRequest.isOver || trackedRequest.matchId !== null) continue;
    await deps.store.requests.cancelById(id);
    untrackRequest(arena, id);
  }
}

export type RequestedPair = { requestId: RequestId; botIds: readonly [BotId, BotId] };

export type WaitingBotVersion = { bot: BotRecord; version: VersionRecord };

/** Returns a ladder's requests whose two bots may both be paired, oldest first. */
export function requestedPairsOn(
  arena: ArenaState,
  ladderId: LadderId,
  players: Iterable<WaitingBotVersion>,
): RequestedPair[] {
  const waitingBots = [...players];
  return arena.requests
    .values()
    .filter(({ request }) => request.ladderId === ladderId)
    .flatMap(({ request: { id, botId, accountId, opponent } }) => {
      const requester = waitingBots.find(
        ({ bot }) => bot.id === botId && bot.ownerId === accountId,
      );
      const houseBot = waitingBots.find(({ bot }) => bot.house && shortNameOf(bot) === opponent);
      if (
        requester === undefined ||
        houseBot === undefined ||
        !canServeRequest(arena, id, [requester, houseBot])
      )
        return [];
      return [{ requestId: id, botIds: [requester.bot.id, houseBot.bot.id] as const }];
    })
    .toArray();
}

const shortNameOf = ({ name }: BotRecord) => HOUSE_BOTS.find((bot) => bot.name === name)?.short;

/**
 * Returns whether a match between these bots may serve the request. Checked once for pairing and
 * again before the match starts. A request stays pending while its opponent isn't approved.
 */
export function canServeRequest(
  { deps, requests }: ArenaState,
  id: RequestId,
  players: readonly WaitingBotVersion[],
): boolean {
  const trackedRequest = requests.get(id);
  if (trackedRequest === undefined || trackedRequest.isOver || trackedRequest.matchId !== null)
    return false;
  const { eventId, opponent } = trackedRequest.request;
  const houseBot = players.find(({ bot }) => bot.house);
  if (houseBot === undefined || !deps.isEventOpen(eventId)) return false;
  return deps.isApproved(eventId, opponent, houseBot.version.label);
}

export function startRequest({ requests }: ArenaState, id: RequestId, matchId: MatchId): void {
  const trackedRequest = requests.get(id);
  if (trackedRequest !== undefined) trackedRequest.matchId = matchId;
}

/**
 * Ends the request's match. A request that wasn't served, because its match was void, becomes
 * pending again.
 */
export function finishRequest(arena: ArenaState, id: RequestId, isServed: boolean): void {
  const trackedRequest = arena.requests.get(id);
  if (trackedRequest === undefined) return;
  trackedRequest.matchId = null;
  if (isServed) untrackRequest(arena, id);
}
