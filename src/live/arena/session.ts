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

/** A queue entry. `since` is monotonic time in µs. */
export type QueueEntry = {
  ladderId: LadderId;
  version: VersionRecord;
  since: number;
};

export type PendingQueueRequest = {
  ladderId: LadderId;
  /** Null while the label is being looked up or registered. */
  outcome: QueueOutcome | null;
  /** Set by a later `leave`. */
  isWithdrawn: boolean;
};

export type QueueOutcome =
  | { version: VersionRecord }
  | { refused: QueueCode; detail?: string }
  | { isDraining: true };

export type RankedMatch = {
  readonly id: string;
  readonly ladderId: LadderId;
  /** Season in which the match started; null except on public. */
  readonly season: string | null;
  readonly map: string;
  readonly seed: number;
  /** Fixed when the match starts. Later settings changes don't apply. */
  readonly deadlines: Deadlines;
  /** UTC. */
  readonly started: string;
  /** Monotonic time in µs. */
  readonly startedAt: number;
  /** In seat order. A session outlives its individual connections. */
  readonly sessions: readonly [Session, Session];
  readonly versions: readonly [VersionRecord, VersionRecord];
  /** Owners when the match started. */
  readonly owners: readonly [OwnerId, OwnerId];
  readonly reasons: PairingReasons;
  readonly requestId: RequestId | null;
  readonly runner: MatchRunner;
};

/** The part of a ranked or unranked match that a session needs. */
export type SeatedMatch = Pick<
  RankedMatch,
  "id" | "ladderId" | "deadlines" | "startedAt" | "versions" | "runner"
>;

export type ConnectionState = {
  readonly connection: Connection;
  readonly messageRateLimit: MessageRateLimit;
  lastQueued: { version: VersionRecord; ladderId: LadderId } | null;
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
  /** `connectionState` is null while the bot is disconnected and its match continues. */
  | {
      readonly state: "playing";
      connectionState: ConnectionState | null;
      readonly match: SeatedMatch;
      readonly seat: number;
    }
  /** The session was removed from the arena, but callers may still reference it. */
  | { readonly state: "ended" };

/** Exists as long as the bot has a connection or a match. */
export type Session = {
  /** The bot id, or the session id for a house bot, which may have several sessions. */
  readonly key: string;
  /** The current record. Name, owner, avatar and status can change during a session. */
  bot: BotRecord;
  activity: Activity;
  /**
   * Id of the version the bot last played with. Set when the bot queues with a version that hasn't
   * played yet.
   */
  lastPlayedVersionId: string | null;
  /** Incremented when a version is retired. Detects stale version lookups. */
  retirements: number;
};

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

/** Returns null while the bot is disconnected. */
export function connectionStateOf({ activity }: Session): ConnectionState | null {
  return activity.state === "ended" ? null : activity.connectionState;
}

/**
 * Moves the session to a new connection. The previous connection is closed with `replaced`, and its
 * queue entry is removed.
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

export function takeSeat(session: Session, match: SeatedMatch, seat: number): void {
  const connectionState = connectionStateOf(session);
  session.activity = { state: "playing", connectionState, match, seat };
  if (connectionState !== null) applyMatchLimit(connectionState.messageRateLimit, match.deadlines);
}

/** Sends a text message. Callers check `isReading` for backpressure. */
export function sendToSession(session: Session, text: string): void {
  connectionStateOf(session)?.connection.send(text);
}

/** Returns the number of bytes the bot hasn't read yet. */
export function bufferedBytesOf(session: Session): number {
  return connectionStateOf(session)?.connection.bufferedBytes ?? 0;
}

/**
 * Returns false if the bot has stopped reading. Such a bot is terminated when its buffer is full.
 */
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

export const CLOSE_NORMAL = 1000;

export function closeWithError(connection: Connection, code: CloseCode, text?: string): void {
  connection.send(code === "replaced" ? printReplaced() : printError(code, text));
  connection.close(ERROR_CATALOGUE[code].close, code);
}
