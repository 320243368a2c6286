// One bot that is here: its connection, what it does, the game it plays, how it is spoken to.

import type { Deadlines } from "#core/engine/types.ts";
import type { Reasons } from "#core/pairing/types.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { ClosingCode, QueueCode } from "#core/protocol/errors.ts";
import { printError, printReplaced } from "#core/protocol/print.ts";
import { LIMITS } from "#core/words/limits.ts";
import type { BotRecord, VersionRecord } from "#data/store/store.ts";
import type { RunningMatch } from "#live/match/run-match.ts";

import type { Connection } from "./connection.ts";
import { calm, enterMatch, noteObservation } from "./flood.ts";
import type { Flood } from "./flood.ts";

/** A place in the queue. `since` in µs on the monotonic clock. */
export type Entry = {
  ladderId: string;
  version: VersionRecord;
  since: number;
};

/** A `queue` that is not answered yet. Answers come in the order of the questions. */
export type Question = {
  ladderId: string;
  /** Null while the label is looked up or registered. */
  outcome: QueueOutcome | null;
  /** Whether a later `leave` took it back. */
  isTakenBack: boolean;
};

export type QueueOutcome =
  | { version: VersionRecord }
  | { refused: QueueCode; detail?: string }
  | { isDraining: true };

/** A match on the ladder: the running fight, the two bots in it and why they were paired. */
export type Game = {
  readonly id: string;
  readonly ladderId: string;
  /** On public the season in which it started. */
  readonly season: string | null;
  readonly map: string;
  readonly seed: number;
  /** Those in force when it started: a setting that moves leaves it alone. */
  readonly deadlines: Deadlines;
  /** UTC instant. */
  readonly started: string;
  /** µs on the monotonic clock. */
  readonly startedAt: number;
  /** Seat order; the sessions stay the same while connections come and go. */
  readonly sessions: readonly [Session, Session];
  readonly versions: readonly [VersionRecord, VersionRecord];
  /** The matchmaker's reasons, stored with the match. */
  readonly reasons: Reasons;
  running: RunningMatch | null;
};

type Activity =
  | { state: "idle" }
  | { state: "waiting"; entry: Entry }
  | { state: "playing"; game: Game; seat: number };

/** Lives while the bot has a connection or a match. */
export type Session = {
  /** The bot's id; of a house bot, which may have several sessions, its place. */
  readonly key: string;
  bot: BotRecord;
  connection: Connection | null;
  flood: Flood;
  activity: Activity;
  /** The bot's versions by label. */
  versions: Map<string, VersionRecord>;
  /** The version and ladder it queued with last on this connection. */
  queued: { version: VersionRecord; ladderId: string } | null;
  /** What this connection asked and was not answered, oldest first. */
  questions: Question[];
  /** Counts versions that were retired, so that a look-up can tell it is stale. */
  retirements: number;
  /** A ping is out that was not answered. */
  pinged: boolean;
};

export function openSession(
  bot: BotRecord,
  versions: readonly VersionRecord[],
  key = bot.id,
): Session {
  return {
    key,
    bot,
    connection: null,
    flood: calm(),
    activity: { state: "idle" },
    versions: new Map(versions.map((version) => [version.label, version])),
    queued: null,
    questions: [],
    retirements: 0,
    pinged: false,
  };
}

/** Gives the session a connection; the caller has taken leave of the one before. */
export function connect(session: Session, connection: Connection): void {
  session.connection = connection;
  session.flood = calm();
  session.queued = null;
  session.questions = [];
  session.pinged = false;
  const { activity } = session;
  if (activity.state === "playing") enterMatch(session.flood, activity.game.deadlines);
}

/** Sends one text. Whether the bot reads at all is `reads`. */
export function tell({ connection }: Session, text: string): void {
  connection?.send(text);
}

/** Whether the bot takes what it is sent: one that does not is cut off when its buffer is full. */
export function reads({ connection }: Session): boolean {
  return connection === null || connection.buffered <= LIMITS.send_buffer_bytes;
}

export function tellObservation(session: Session, text: string, written: () => void): void {
  noteObservation(session.flood);
  session.connection?.show(text, written);
}

/** Says why, closes, and forgets the connection. */
export function dismiss(session: Session, code: ClosingCode): void {
  const { connection } = session;
  session.connection = null;
  if (connection !== null) refuse(connection, code);
}

/** Ends a connection with the error it is to be told. */
export function refuse(connection: Connection, code: ClosingCode, text?: string): void {
  connection.send(code === "replaced" ? printReplaced() : printError(code, text));
  connection.close(ERRORS[code].close, code);
}
