// Opponent requests: pending until a stored match serves them or they are cancelled.

import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { AccountId, BotId, EventId, MatchId, RequestId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./method.ts";

/** A request whose match is stored. */
export type ServedOpponentRequest = Pick<OpponentRequest, "eventId" | "botId" | "opponent"> & {
  matchId: MatchId;
  /** When the match started, as a UTC instant. */
  started: string;
};

/** An account's requests in an event. */
export type LatestOpponentRequests = {
  pending: OpponentRequest | null;
  /** The served request whose match started last. */
  served: ServedOpponentRequest | null;
};

/** A stored match, and the bots that played it. */
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

/** Requests are served by `matches.save`, not here. */
export const OPPONENT_REQUESTS = {
  /**
   * An account can have one pending request per event. Adding the same ID again returns `added`
   * too, whatever its current state.
   */
  add: writes<AddRequest>(() => ["audit"]),
  /** Null if no request is pending. */
  cancel: writes<CancelRequest>((_, _event, _account, audit) =>
    audit === undefined ? [] : ["audit"],
  ),
  /** Cancels all pending requests in an event; returns their IDs. */
  cancelForEvent: writes<(eventId: EventId) => Promise<RequestId[]>>(() => []),
  /** Cancels a request that can no longer be served; false if it isn't pending. */
  cancelById: writes<(id: RequestId) => Promise<boolean>>(() => []),
  /** Oldest first. */
  pending: readsUncached<() => Promise<OpponentRequest[]>>(),
  latest:
    readsUncached<(eventId: EventId, accountId: AccountId) => Promise<LatestOpponentRequests>>(),
  /** The request served by a match; stored with the match. Null for none. */
  servedBy: reads<(match: ServingMatch) => Promise<ServedOpponentRequest | null>>(() => ["facts"]),
};
