// Opponent requests: the wish of an account for one game of a bot against a house bot. The store
// has them for good; here are those that no stored match has served yet.

import { isBotAvailable } from "#core/events/request.ts";
import type { OpponentRequest } from "#core/events/request.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { AccountId, BotId, EventId, LadderId, MatchId, RequestId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";

import type { ArenaState } from "./arena-state.ts";
import type { RequestState } from "./view.ts";

/**
 * Those that the store has pending, and no others: at the start, what a former process has left.
 * Requests of bots that are gone are given up.
 */
export async function recallRequests(arena: ArenaState): Promise<void> {
  const { store } = arena.deps;
  const before = arena.requestChanges;
  const pending = await store.requests.pending();
  const bots = await store.bots.byIds(pending.map(({ botId }) => botId));
  // What was read may be older than what is known by now.
  if (arena.requestChanges !== before) return recallRequests(arena);
  const ids = new Set(pending.map(({ id }) => id));
  for (const [id, { matchId }] of arena.requests)
    if (matchId === null && !ids.has(id)) forgetRequest(arena, id);
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  for (const request of pending) {
    noteRequest(arena, request);
    noteOwner(arena, request.botId, byId.get(request.botId) ?? null);
  }
}

/** A request that is stored. */
export function noteRequest(arena: ArenaState, request: OpponentRequest): void {
  const { requests } = arena;
  arena.requestChanges += 1;
  if (!requests.has(request.id))
    requests.set(request.id, { request, matchId: null, isOver: false });
}

function forgetRequest(arena: ArenaState, id: RequestId): void {
  arena.requestChanges += 1;
  arena.requests.delete(id);
}

/** Its owner takes it back; a game that has begun goes on. */
export function cancelRequest(arena: ArenaState, id: RequestId): void {
  const wish = arena.requests.get(id);
  arena.requestChanges += 1;
  if (wish === undefined) return;
  wish.isOver = true;
  if (wish.matchId === null) forgetRequest(arena, id);
}

/** A request of a closed event is null at once, before `dropRequests` cancels it in the store. */
export function requestOf(
  { deps, requests }: ArenaState,
  eventId: EventId,
  accountId: AccountId,
): RequestState | null {
  const own = requests
    .values()
    .filter(({ request }) => request.eventId === eventId && request.accountId === accountId)
    .toArray();
  const playing = own.find(({ matchId }) => matchId !== null);
  if (playing !== undefined)
    return { request: playing.request, state: "playing", matchId: playing.matchId };
  const waiting = deps.isEventOpen(eventId) ? own.find(({ isOver }) => !isOver) : undefined;
  return waiting ? { request: waiting.request, state: "pending", matchId: null } : null;
}

/** A bot has changed, or, as null, is deleted: if it is gone, so are its requests. */
export function noteOwner({ requests }: ArenaState, botId: BotId, bot: BotRecord | null): void {
  for (const wish of requests.values())
    if (wish.request.botId === botId && !isBotAvailable(wish.request, bot)) wish.isOver = true;
}

/**
 * Gives up those that nobody can serve any more: their bot is gone, or their event is not open. A
 * failure is tried again at the next call.
 */
export async function dropRequests(arena: ArenaState): Promise<void> {
  const { deps, requests } = arena;
  for (const [id, wish] of requests) {
    wish.isOver ||= !deps.isEventOpen(wish.request.eventId);
    if (!wish.isOver || wish.matchId !== null) continue;
    await deps.store.requests.drop(id);
    forgetRequest(arena, id);
  }
}

/** A request whose two bots may play now. */
export type WantedPair = { requestId: RequestId; botIds: readonly [BotId, BotId] };

/** A bot that may play now, and the version with which it waits. */
export type WaitingPlayer = { bot: BotRecord; version: VersionRecord };

/** What was asked for on a ladder, oldest first, of the bots that may play now. */
export function wantedOn(
  arena: ArenaState,
  ladderId: LadderId,
  players: Iterable<WaitingPlayer>,
): WantedPair[] {
  const here = [...players];
  return arena.requests
    .values()
    .filter(({ request }) => request.ladderId === ladderId)
    .flatMap(({ request: { id, botId, accountId, opponent } }) => {
      const own = here.find(({ bot }) => bot.id === botId && bot.ownerId === accountId);
      const rival = here.find(({ bot }) => bot.house && shortNameOf(bot) === opponent);
      if (own === undefined || rival === undefined || !mayBegin(arena, id, [own, rival])) return [];
      return [{ requestId: id, botIds: [own.bot.id, rival.bot.id] as const }];
    })
    .toArray();
}

const shortNameOf = ({ name }: BotRecord) => HOUSE_BOTS.find((bot) => bot.name === name)?.short;

/**
 * Whether a request may be served by a match of two. Asked again before the match starts. A request
 * whose opponent is not approved as it plays now stays pending until it is.
 */
export function mayBegin(
  { deps, requests }: ArenaState,
  id: RequestId,
  players: readonly WaitingPlayer[],
): boolean {
  const wish = requests.get(id);
  if (wish === undefined || wish.isOver || wish.matchId !== null) return false;
  const { eventId, opponent } = wish.request;
  const rival = players.find(({ bot }) => bot.house);
  if (rival === undefined || !deps.isEventOpen(eventId)) return false;
  return deps.isApproved(eventId, opponent, rival.version.label);
}

/** The request's match has begun. */
export function beginRequest({ requests }: ArenaState, id: RequestId, matchId: MatchId): void {
  const wish = requests.get(id);
  if (wish !== undefined) wish.matchId = matchId;
}

/** The request's match is stored: one that is void has served nothing. */
export function endRequest(arena: ArenaState, id: RequestId, isServed: boolean): void {
  const wish = arena.requests.get(id);
  if (wish === undefined) return;
  wish.matchId = null;
  if (isServed) forgetRequest(arena, id);
}
