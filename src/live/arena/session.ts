// A connected bot: what it is doing, over which connection, and how messages reach it.

import type { Deadlines } from "#core/engine/types.ts";
import type { Reasons } from "#core/pairing/types.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { ClosingCode, QueueCode } from "#core/protocol/errors.ts";
import { printError, printReplaced } from "#core/protocol/print.ts";
import type { LadderId, OwnerId, RequestId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { RunningMatch } from "#live/match/run-match.ts";

import type { Connection } from "./connection.ts";
import { calm, enterMatch, noteObservation } from "./flood.ts";
import type { Flood } from "./flood.ts";

/** A place in the queue. `since` is in µs of the monotonic clock. */
export type Entry = {
  ladderId: LadderId;
  version: VersionRecord;
  since: number;
};

/** A `queue` that has not been answered yet. Answers keep the order of the questions. */
export type Question = {
  ladderId: LadderId;
  /** Null while the label is looked up or registered. */
  outcome: QueueOutcome | null;
  /** Whether a later `leave` took it back. */
  isTakenBack: boolean;
};

export type QueueOutcome =
  | { version: VersionRecord }
  | { refused: QueueCode; detail?: string }
  | { isDraining: true };

/** A match on a ladder: the running fight, its two bots and why they were paired. */
export type Game = {
  readonly id: string;
  readonly ladderId: LadderId;
  /** On public, the season in which it started. */
  readonly season: string | null;
  readonly map: string;
  readonly seed: number;
  /** The deadlines in force when it started: later changes of settings do not apply. */
  readonly deadlines: Deadlines;
  /** UTC instant. */
  readonly started: string;
  /** µs of the monotonic clock. */
  readonly startedAt: number;
  /** In seat order; sessions stay the same while connections come and go. */
  readonly sessions: readonly [Session, Session];
  readonly versions: readonly [VersionRecord, VersionRecord];
  /** Whose the two were when it started. */
  readonly owners: readonly [OwnerId, OwnerId];
  /** The matchmaker's reasons, stored with the match. */
  readonly reasons: Reasons;
  /** The opponent request that it is to serve; null for none. */
  readonly requestId: RequestId | null;
  readonly running: RunningMatch;
};

/** What a bot's session needs to know of the fight that it is in, rated or not. */
export type Seating = Pick<
  Game,
  "id" | "ladderId" | "deadlines" | "startedAt" | "versions" | "running"
>;

/** One connection of a bot, and everything that is forgotten with it. */
export type Visit = {
  readonly connection: Connection;
  readonly flood: Flood;
  /** The version and ladder that it last queued with. */
  queued: { version: VersionRecord; ladderId: LadderId } | null;
  /** Questions that have not been answered, oldest first. */
  readonly questions: Question[];
  /** Whether the last ping is unanswered. */
  pinged: boolean;
};

type Activity =
  | { readonly state: "idle"; readonly visit: Visit }
  | { readonly state: "waiting"; readonly visit: Visit; readonly entry: Entry }
  /** While the bot is away, the visit is null and the match goes on. */
  | {
      readonly state: "playing";
      visit: Visit | null;
      readonly game: Seating;
      readonly seat: number;
    }
  /** No longer found by anybody, but still held by callers that were about to use it. */
  | { readonly state: "ended" };

/** Lives as long as the bot has a connection or a match. */
export type Session = {
  /** The bot's id or, for house bots, which may have several sessions, its place. */
  readonly key: string;
  /** As stored now: its name, owner, avatar and status may change. */
  bot: BotRecord;
  activity: Activity;
  /**
   * Id of the version that it last played with; looked up when it queues with one that has not
   * played.
   */
  formerVersion: string | null;
  /** Counts retired versions, so that a look-up can tell that it is stale. */
  retirements: number;
};

/** An arriving bot and the key of its session. */
export type Guest = { readonly key: string; readonly bot: BotRecord };

export function openSession({ key, bot }: Guest, visit: Visit): Session {
  return {
    key,
    bot,
    activity: { state: "idle", visit },
    formerVersion: null,
    retirements: 0,
  };
}

export function openVisit(
  connection: Connection,
  limits: Pick<Limits, "messages_per_second">,
): Visit {
  return { connection, flood: calm(limits), queued: null, questions: [], pinged: false };
}

/** The session's connection; null while the bot is away. */
export function visitOf({ activity }: Session): Visit | null {
  return activity.state === "ended" ? null : activity.visit;
}

/** Moves the session to another connection. The previous one is told and loses its queue entry. */
export function replaceVisit(session: Session, visit: Visit): void {
  const former = visitOf(session);
  if (former !== null) refuse(former.connection, "replaced");
  const { activity } = session;
  if (activity.state === "playing") {
    activity.visit = visit;
    enterMatch(visit.flood, activity.game.deadlines);
  } else session.activity = { state: "idle", visit };
}

/** Moves the bot from the queue to its seat. */
export function sitDown(session: Session, game: Seating, seat: number): void {
  const visit = visitOf(session);
  session.activity = { state: "playing", visit, game, seat };
  if (visit !== null) enterMatch(visit.flood, game.deadlines);
}

/** Sends one text. See `reads` for whether the bot takes it. */
export function tell(session: Session, text: string): void {
  visitOf(session)?.connection.send(text);
}

/** Bytes that the bot has not taken yet. */
export function waitingBytes(session: Session): number {
  return visitOf(session)?.connection.buffered ?? 0;
}

/** Whether the bot takes what it is sent; if not, it is cut off once its buffer is full. */
export function reads(session: Session): boolean {
  return waitingBytes(session) <= FIXED.send_buffer_bytes;
}

export function tellObservation(session: Session, text: string, written: () => void): void {
  const visit = visitOf(session);
  if (visit === null) return;
  noteObservation(visit.flood);
  visit.connection.show(text, written);
}

/** Closes a connection through no fault of anybody. */
export const CLOSE_NORMAL = 1000;

/** Ends a connection with the given error. */
export function refuse(connection: Connection, code: ClosingCode, text?: string): void {
  connection.send(code === "replaced" ? printReplaced() : printError(code, text));
  connection.close(ERRORS[code].close, code);
}
