// Session of a connected bot: its activity, its connection, and sending to it.

import type { Deadlines } from "#core/engine/types.ts";
import type { LadderId, OwnerId, RequestId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { PairingReasons } from "#core/pairing/types.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { CloseCode, QueueCode } from "#core/protocol/errors.ts";
import { printError, printReplaced } from "#core/protocol/print-messages.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { MatchRunner } from "#live/match/match-runner.ts";

import type { Connection } from "./connection.ts";
import { newMessageRateLimit, applyMatchLimit, resetTickFrames } from "./message-rate-limit.ts";
import type { MessageRateLimit } from "./message-rate-limit.ts";

/** A queue entry. `since` is in µs of the monotonic clock. */
export type QueueEntry = {
  ladderId: LadderId;
  version: VersionRecord;
  since: number;
};

/** A `queue` request that hasn't been answered yet. Answers keep the order of requests. */
export type PendingQueueRequest = {
  ladderId: LadderId;
  /** Null while the label is looked up or registered. */
  outcome: QueueOutcome | null;
  /** Whether a later `leave` withdrew it. */
  isWithdrawn: boolean;
};

export type QueueOutcome =
  | { version: VersionRecord }
  | { refused: QueueCode; detail?: string }
  | { isDraining: true };

/** A running match on a ladder, with its two bots and the pairing reasons. */
export type RankedMatch = {
  readonly id: string;
  readonly ladderId: LadderId;
  /** On public, the season in which it started. */
  readonly season: string | null;
  readonly map: string;
  readonly seed: number;
  /** Deadlines fixed at the start; later settings changes don't apply. */
  readonly deadlines: Deadlines;
  /** UTC. */
  readonly started: string;
  /** µs of the monotonic clock. */
  readonly startedAt: number;
  /** In seat order. Sessions persist while connections change. */
  readonly sessions: readonly [Session, Session];
  readonly versions: readonly [VersionRecord, VersionRecord];
  /** Owners at the start. */
  readonly owners: readonly [OwnerId, OwnerId];
  /** The matchmaker's reasons, stored with the match. */
  readonly reasons: PairingReasons;
  /** The opponent request served by the match, or null. */
  readonly requestId: RequestId | null;
  readonly runner: MatchRunner;
};

/** What a bot's session needs to know about its match, ranked or not. */
export type SeatedMatch = Pick<
  RankedMatch,
  "id" | "ladderId" | "deadlines" | "startedAt" | "versions" | "runner"
>;

/** State of one connection of a bot, discarded with it. */
export type ConnectionState = {
  readonly connection: Connection;
  readonly messageRateLimit: MessageRateLimit;
  /** The last queued version and ladder. */
  lastQueued: { version: VersionRecord; ladderId: LadderId } | null;
  /** Pending queue requests, oldest first. */
  readonly queueRequests: PendingQueueRequest[];
  isAwaitingPong: boolean;
};

type Activity =
  | { readonly state: "idle"; readonly connectionState: ConnectionState }
  | {
      readonly state: "waiting";
      readonly connectionState: ConnectionState;
      readonly entry: QueueEntry;
    }
  /** Null while the bot is disconnected; a match continues meanwhile. */
  | {
      readonly state: "playing";
      connectionState: ConnectionState | null;
      readonly match: SeatedMatch;
      readonly seat: number;
    }
  /** Removed from the arena, but callers may still hold it. */
  | { readonly state: "ended" };

/** Exists while the bot has a connection or a match. */
export type Session = {
  /** The bot's id, or the session id for house bots, which may have several sessions. */
  readonly key: string;
  /** As stored now; name, owner, avatar and status may change. */
  bot: BotRecord;
  activity: Activity;
  /**
   * Id of the last version that it played with. Looked up when it queues with a version that hasn't
   * played.
   */
  lastPlayedVersionId: string | null;
  /** Counts retired versions, so that a lookup can detect that it is stale. */
  retirements: number;
};

/** An authenticated bot and its session key. */
export type SessionIdentity = { readonly key: string; readonly bot: BotRecord };

export function openSession(
  { key, bot }: SessionIdentity,
  connectionState: ConnectionState,
): Session {
  return {
    key,
    bot,
    activity: { state: "idle", connectionState },
    lastPlayedVersionId: null,
    retirements: 0,
  };
}

export function newConnectionState(
  connection: Connection,
  limits: Pick<Limits, "messages_per_second">,
): ConnectionState {
  return {
    connection,
    messageRateLimit: newMessageRateLimit(limits),
    lastQueued: null,
    queueRequests: [],
    isAwaitingPong: false,
  };
}

/** The session's connection; null while the bot is disconnected. */
export function connectionStateOf({ activity }: Session): ConnectionState | null {
  return activity.state === "ended" ? null : activity.connectionState;
}

/**
 * Moves the session to another connection. The previous one gets an error and loses its queue
 * entry.
 */
export function replaceConnection(session: Session, connectionState: ConnectionState): void {
  const previous = connectionStateOf(session);
  if (previous !== null) closeWithError(previous.connection, "replaced");
  const { activity } = session;
  if (activity.state === "playing") {
    activity.connectionState = connectionState;
    applyMatchLimit(connectionState.messageRateLimit, activity.match.deadlines);
  } else session.activity = { state: "idle", connectionState };
}

/** Moves the bot from the queue to its seat. */
export function takeSeat(session: Session, match: SeatedMatch, seat: number): void {
  const connectionState = connectionStateOf(session);
  session.activity = { state: "playing", connectionState, match, seat };
  if (connectionState !== null) applyMatchLimit(connectionState.messageRateLimit, match.deadlines);
}

/** Sends a text message. See `isReading` for backpressure. */
export function sendToSession(session: Session, text: string): void {
  connectionStateOf(session)?.connection.send(text);
}

/** Returns the bytes that the bot hasn't taken yet. */
export function bufferedBytesOf(session: Session): number {
  return connectionStateOf(session)?.connection.bufferedBytes ?? 0;
}

/** Returns whether the bot still reads. If not, it is terminated once its buffer is full. */
export function isReading(session: Session): boolean {
  return bufferedBytesOf(session) <= FIXED_LIMITS.send_buffer_bytes;
}

export function sendObservationToSession(
  session: Session,
  text: string,
  onWritten: () => void,
): void {
  const connectionState = connectionStateOf(session);
  if (connectionState === null) return;
  resetTickFrames(connectionState.messageRateLimit);
  connectionState.connection.sendObservation(text, onWritten);
}

/** Closes a connection without an error. */
export const CLOSE_NORMAL = 1000;

/** Sends an error and closes the connection. */
export function closeWithError(connection: Connection, code: CloseCode, text?: string): void {
  connection.send(code === "replaced" ? printReplaced() : printError(code, text));
  connection.close(ERROR_CATALOGUE[code].close, code);
}
