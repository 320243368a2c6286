// Opponent requests. A request is pending until a stored match serves it or it is cancelled.

import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { AccountId, BotId, EventId, MatchId, RequestId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./store-method.ts";

export type ServedOpponentRequest = Pick<OpponentRequest, "eventId" | "botId" | "opponent"> & {
  matchId: MatchId;
  /** Start of the match as a UTC instant. */
  started: string;
};

export type LatestOpponentRequests = {
  pending: OpponentRequest | null;
  /** The served request with the latest match start. */
  served: ServedOpponentRequest | null;
};

type ServingMatch = { id: MatchId; botIds: readonly BotId[] };

type AddRequest = (
  request: OpponentRequest,
  audit: AuditEntry,
) => Promise<"added" | "request_exists">;
type CancelRequest = (
  eventId: EventId,
  accountId: AccountId,
  audit?: AuditEntry,
) => Promise<OpponentRequest | null>;

/** `matches.save` marks requests as served. */
export const OPPONENT_REQUESTS = {
  /**
   * An account can have one pending request per event. Adding the same ID again also returns
   * `added`, whatever its state.
   */
  add: writes<AddRequest>(() => ["audit"]),
  /** Returns null if no request is pending. */
  cancel: writes<CancelRequest>((_, _event, _account, audit) =>
    audit === undefined ? [] : ["audit"],
  ),
  /** Cancels all pending requests in an event. Returns their IDs. */
  cancelForEvent: writes<(eventId: EventId) => Promise<RequestId[]>>(() => []),
  /** Cancels a request that can no longer be served. Returns false if it isn't pending. */
  cancelById: writes<(id: RequestId) => Promise<boolean>>(() => []),
  /** Returns pending requests, oldest first. */
  pending: readsUncached<() => Promise<OpponentRequest[]>>(),
  latest:
    readsUncached<(eventId: EventId, accountId: AccountId) => Promise<LatestOpponentRequests>>(),
  /**
   * Returns the request that a match served, or null. The request is marked when the match is
   * stored.
   */
  servedBy: reads<(match: ServingMatch) => Promise<ServedOpponentRequest | null>>(() => ["facts"]),
};
