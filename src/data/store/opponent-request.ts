// Opponent requests: pending until a stored match serves them, or they are cancelled.

import type { OpponentRequest } from "#core/events/request.ts";
import type { AccountId, BotId, EventId, MatchId, RequestId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, reads, writes } from "./method.ts";

/** A request whose game is stored. */
export type ServedRequest = Pick<OpponentRequest, "eventId" | "botId" | "opponent"> & {
  matchId: MatchId;
  /** When the game started, as a UTC instant. */
  started: string;
};

/** What an account has asked for in an event. */
export type LatestRequest = {
  pending: OpponentRequest | null;
  /** Of those that were served, the one whose game started last. */
  served: ServedRequest | null;
};

/** A stored match, and the bots that played it. */
type ServingMatch = { id: MatchId; botIds: readonly BotId[] };

type Add = (request: OpponentRequest, audit: AuditEntry) => Promise<"added" | "request_exists">;
type Cancel = (
  eventId: EventId,
  accountId: AccountId,
  audit?: AuditEntry,
) => Promise<OpponentRequest | null>;

/** `matches.save` serves a request: nothing here does. */
export const REQUESTS = {
  /**
   * An account has one pending request in an event. Adding the same id again is `added` too,
   * whatever has become of it.
   */
  add: writes<Add>(() => ["audit"]),
  /** Null when nothing is pending. */
  cancel: writes<Cancel>((_, _event, _account, audit) => (audit === undefined ? [] : ["audit"])),
  /** Cancels all that are pending in an event; resolves with their ids. */
  cancelOf: writes<(eventId: EventId) => Promise<RequestId[]>>(() => []),
  /** Cancels one that nobody can serve any more; false when it is not pending. */
  drop: writes<(id: RequestId) => Promise<boolean>>(() => []),
  /** Oldest first. */
  pending: looks<() => Promise<OpponentRequest[]>>(),
  latest: looks<(eventId: EventId, accountId: AccountId) => Promise<LatestRequest>>(),
  /** The request that a match has served; it is stored with the match. Null for none. */
  servedBy: reads<(match: ServingMatch) => Promise<ServedRequest | null>>(() => ["facts"]),
};
