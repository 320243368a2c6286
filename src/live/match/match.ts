// Match logic as a pure state machine without clock, timer or socket: (state, event) → effects.
// Times are in whole µs on the caller's monotonic clock.

import { assertDefined } from "#base/util/assert-defined.ts";
import { mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { EndReason } from "#core/engine/types.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { ClientMessage } from "#core/protocol/parse-message.ts";
import { printHello } from "#core/protocol/print-messages.ts";

import { OPEN, decisionOf } from "./decision.ts";
import type { MatchEngine } from "./match-engine.ts";
import type { MatchSetup } from "./match-setup.ts";
import {
  CONNECTED,
  deadlineOf,
  disqualifiedFlags,
  newSeat,
  graceEnd,
  isConnected,
  wouldDisqualify,
  isOpen,
  chargeTick,
} from "./seat.ts";
import type { Seat } from "./seat.ts";
import { NOBODY_READY, SERVER_FAULT, verdictFor } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

export type MatchState = {
  readonly setup: MatchSetup;
  readonly engine: MatchEngine;
  readonly seats: readonly Seat[];
  /** The current tick. After the match is over: the number of played ticks. */
  tick: number;
  phase: Startup | Playing | Over;
};

type Startup = {
  readonly name: "startup";
  openedAt: number;
  /** By seat. Stays true when the bot disconnects, but a new connection must send `ready` again. */
  readonly ready: boolean[];
};

type Playing = {
  readonly name: "playing";
  openedAt: number;
};

type Over = { readonly name: "over"; readonly verdict: Verdict };

export type MatchEvent =
  | { type: "opened"; at: number }
  | { type: "message"; seat: number; at: number; message: ClientMessage }
  | { type: "written"; seat: number; at: number }
  | { type: "attached"; seat: number; at: number }
  | { type: "dropped"; seat: number; at: number }
  | { type: "removed"; seat: number }
  /** Sent when the match is still running too long after its ladder closed. */
  | { type: "cut_short" }
  | { type: "due"; at: number }
  | { type: "stalled"; at: number; lateness: number };

type MessageReceived = Extract<MatchEvent, { type: "message" }>;

export type MatchEffect =
  | { type: "send"; seat: number; text: string }
  /** Sends an observation. The caller must report the write as a `written` event. */
  | { type: "observe"; seat: number; text: string }
  | { type: "refuse"; seat: number; code: ErrorCode; detail?: string }
  | { type: "over"; verdict: Verdict };

export function createMatch(setup: MatchSetup, engine: MatchEngine): MatchState {
  return {
    setup,
    engine,
    seats: setup.fighters.map(() => newSeat(setup.deadlines)),
    tick: 0,
    phase: { name: "startup", openedAt: 0, ready: setup.fighters.map(() => false) },
  };
}

const seatAt = ({ seats }: MatchState, seat: number): Seat => assertDefined(seats[seat], "seat");

/** Applies an event and returns the resulting effects in order. */
export function advance(match: MatchState, event: MatchEvent): MatchEffect[] {
  const effects: MatchEffect[] = [];
  const { phase } = match;
  switch (phase.name) {
    case "startup":
      handleStartup(match, phase, event, effects);
      break;
    case "playing":
      handlePlay(match, phase, event, effects);
      break;
    case "over":
      handleAfterEnd(match, event, effects);
      break;
  }
  return effects;
}

function handleStartup(
  match: MatchState,
  phase: Startup,
  event: MatchEvent,
  effects: MatchEffect[],
): void {
  switch (event.type) {
    case "opened":
      phase.openedAt = event.at;
      for (const seat of match.seats.keys()) sendHello(match, seat, effects);
      break;
    case "message":
      handleStartupMessage(match, phase, event, effects);
      break;
    case "attached":
      phase.ready[event.seat] = false;
      attachSeat(match, event.seat, effects);
      break;
    case "dropped":
      seatAt(match, event.seat).link = { state: "away", since: event.at };
      break;
    case "removed":
      finish(match, opponentSeat(match, event.seat), "forfeit", effects);
      break;
    case "cut_short":
      endStartup(match, phase, effects);
      break;
    case "due":
      if (event.at >= startupEndsAt(match, phase)) endStartup(match, phase, effects);
      break;
    case "stalled":
      extendGrace(match, event.lateness);
      phase.openedAt += event.lateness;
      break;
    // Nothing is charged before the first tick.
    case "written":
      break;
  }
}

function handlePlay(
  match: MatchState,
  phase: Playing,
  event: MatchEvent,
  effects: MatchEffect[],
): void {
  switch (event.type) {
    case "message":
      decideByMessage(match, phase, event, effects);
      break;
    case "written":
      seatAt(match, event.seat).writtenAt ??= event.at;
      break;
    case "attached":
      attachSeat(match, event.seat, effects);
      showTick(match, event.seat, effects);
      break;
    case "dropped":
      seatAt(match, event.seat).link = { state: "away", since: event.at };
      break;
    case "removed":
      finish(match, opponentSeat(match, event.seat), "forfeit", effects);
      break;
    case "cut_short":
      finish(match, match.engine.leaderAtLimit(), "forfeit", effects);
      break;
    case "due":
      handleDue(match, phase, event.at, effects);
      break;
    case "stalled":
      extendGrace(match, event.lateness);
      restartTick(match, phase, event.at);
      break;
    case "opened":
      break;
  }
}

/** An invalid version makes no difference: a bot in a match can't queue. */
const isQueue = ({ type }: ClientMessage): boolean => type === "queue" || type === "bad_queue";

/** A bot belongs to the finished match until `end` is sent to it. */
function handleAfterEnd(match: MatchState, event: MatchEvent, effects: MatchEffect[]): void {
  if (event.type === "attached") sendHello(match, event.seat, effects);
  if (event.type === "message" && isQueue(event.message)) refuseQueue(event.seat, effects);
}

/** Returns when the match needs its next `due` event; Infinity if no time limit is running. */
export function nextDueAt(match: MatchState): number {
  const { phase } = match;
  switch (phase.name) {
    case "startup":
      return startupEndsAt(match, phase);
    case "playing":
      return Math.min(forfeitAt(match, phase), tickEndsAt(match, phase));
    case "over":
      return Infinity;
  }
}

const startupEndsAt = ({ setup }: MatchState, { openedAt }: Startup): number =>
  openedAt + setup.deadlines.startup_ms * 1000;

/**
 * Ticks of a human match last their full time. People couldn't follow ticks that end when both
 * fighters have decided.
 */
const isTimed = ({ setup }: MatchState): boolean => setup.mode === "human";

/**
 * A tick closes when the last open fighter runs out of time, so an earlier deadline of the other
 * fighter needs no timer.
 */
function tickEndsAt(match: MatchState, phase: Playing): number {
  let latestEnd = -Infinity;
  for (const seat of match.seats)
    if (isOpen(seat) || isTimed(match))
      latestEnd = Math.max(latestEnd, seatDeadline(match, phase, seat));
  return latestEnd;
}

const seatDeadline = ({ setup }: MatchState, { openedAt }: Playing, seat: Seat): number =>
  deadlineOf(seat, openedAt, setup.deadlines);

function sendHello(match: MatchState, seat: number, effects: MatchEffect[]): void {
  const { setup } = match;
  const text = printHello({
    matchId: setup.matchId,
    ladderId: setup.ladderId,
    mode: setup.mode,
    fighter: fighterIdAt(seat),
    fighters: setup.fighters,
    deadlines: setup.deadlines,
    map: mapView(setup.grid),
    rules: RULES,
  });
  effects.push({ type: "send", seat, text });
}

/** A new connection continues the match with the same budget and deadline, after another hello. */
function attachSeat(match: MatchState, index: number, effects: MatchEffect[]): void {
  seatAt(match, index).link = CONNECTED;
  sendHello(match, index, effects);
}

function refuseQueue(seat: number, effects: MatchEffect[]): void {
  effects.push({ type: "refuse", seat, code: "already_queued" });
}

function handleStartupMessage(
  match: MatchState,
  { ready }: Startup,
  { seat, at, message }: MessageReceived,
  effects: MatchEffect[],
): void {
  if (isQueue(message)) refuseQueue(seat, effects);
  if (message.type === "bad") {
    const { reason, message: detail } = message.error;
    effects.push({ type: "refuse", seat, code: reason, detail });
  }
  if (message.type !== "ready" || !isForMatch(match, message.matchId)) return;
  ready[seat] = true;
  if (!ready.includes(false)) startPlay(match, at, effects);
}

const isForMatch = (match: MatchState, matchId: MatchId | null): boolean =>
  matchId === null || matchId === match.setup.matchId;

/** A fighter that disconnected during start-up gets the full grace period from now on. */
function startPlay(match: MatchState, at: number, effects: MatchEffect[]): void {
  const phase: Playing = { name: "playing", openedAt: at };
  match.phase = phase;
  for (const { link } of match.seats) if (link.state === "away") link.since = at;
  openTick(match, phase, at, effects);
}

/**
 * A tick is decided by the first turn, unknown message or unreadable frame after the observation.
 * In a human match, the last one counts.
 */
function decideByMessage(
  match: MatchState,
  phase: Playing,
  event: MessageReceived,
  effects: MatchEffect[],
): void {
  const { at, message } = event;
  if (isQueue(message)) refuseQueue(event.seat, effects);
  const seat = seatAt(match, event.seat);
  if (!(isOpen(seat) || isTimed(match)) || at >= seatDeadline(match, phase, seat)) return;
  const decision = decisionOf(message, match.tick, at);
  if (decision !== OPEN) seat.decision = decision;
  if (!isTimed(match) && !match.seats.some(isOpen)) closeTick(match, phase, at, effects);
}

function handleDue(match: MatchState, phase: Playing, at: number, effects: MatchEffect[]): void {
  if (at >= forfeitAt(match, phase)) forfeitAbsent(match, at, effects);
  else if (at >= tickEndsAt(match, phase)) closeTick(match, phase, at, effects);
}

function endStartup(match: MatchState, { ready }: Startup, effects: MatchEffect[]): void {
  const seat = ready.indexOf(true);
  if (seat === -1) conclude(match, NOBODY_READY, effects);
  else finish(match, seat, "forfeit", effects);
}

/**
 * Returns the latest grace period end within the current tick, so that two fighters whose grace
 * periods end in the same tick are judged together. Ignores a fighter that the current tick may
 * disqualify: that tick is played to its end first.
 */
function forfeitAt(match: MatchState, phase: Playing): number {
  const { deadlines } = match.setup;
  if (match.seats.every(isConnected)) return Infinity;
  const latestEnd = Math.max(...match.seats.map((seat) => seatDeadline(match, phase, seat)));
  const graceEnds = match.seats
    .filter((seat) => !wouldDisqualify(seat, match.tick, deadlines))
    .map((seat) => graceEnd(deadlines, seat))
    .filter((end) => end <= latestEnd);
  return graceEnds.length === 0 ? Infinity : Math.max(...graceEnds);
}

function forfeitAbsent(match: MatchState, at: number, effects: MatchEffect[]): void {
  const isPastGrace = (seat: Seat) => graceEnd(match.setup.deadlines, seat) <= at;
  const stayingSeat = match.seats.findIndex((seat) => !isPastGrace(seat));
  finish(
    match,
    stayingSeat === -1 ? match.engine.leaderAtLimit() : stayingSeat,
    "forfeit",
    effects,
  );
}

function openTick(match: MatchState, phase: Playing, at: number, effects: MatchEffect[]): void {
  phase.openedAt = at;
  for (const seat of match.seats) {
    seat.decision = OPEN;
    seat.writtenAt = null;
  }
  // Alternates which seat is sent the observation first, so that neither has a lasting advantage.
  const { length } = match.seats;
  for (let offset = 0; offset < length; offset += 1)
    showTick(match, (match.tick + offset) % length, effects);
}

function showTick(match: MatchState, index: number, effects: MatchEffect[]): void {
  const seat = seatAt(match, index);
  if (!isConnected(seat)) return;
  const text = match.engine.printObservationFor(index, {
    budgetMs: Math.floor(seat.budget / 1000),
    lastReplyMs: seat.lastCharge === null ? null : Math.round(seat.lastCharge / 1000),
    lastFailure: seat.lastFailure,
  });
  effects.push({ type: "observe", seat: index, text });
}

function closeTick(match: MatchState, phase: Playing, at: number, effects: MatchEffect[]): void {
  if (isTimed(match)) fillEmptyTurns(match, at);
  for (const seat of match.seats) chargeTick(seat, phase.openedAt, match.setup.deadlines);
  const outcome = match.engine.play(match.seats);
  match.tick += 1;
  if (outcome !== null) finish(match, outcome.winner, outcome.reason, effects);
  else if (!disqualify(match, effects)) openTick(match, phase, at, effects);
}

/** In a human match, a fighter without a message makes an empty turn. */
function fillEmptyTurns({ seats }: MatchState, at: number): void {
  for (const seat of seats)
    if (isOpen(seat) && isConnected(seat)) seat.decision = { state: "turn", turn: {}, at };
}

/** Disqualifies fighters with too many failed ticks. Returns true if that ended the match. */
function disqualify(match: MatchState, effects: MatchEffect[]): boolean {
  const isDisqualified = disqualifiedFlags(match.seats, match.tick, match.setup.deadlines);
  if (!isDisqualified.includes(true)) return false;
  const stayingSeat = isDisqualified.indexOf(false);
  const winner = stayingSeat === -1 ? match.engine.leaderAtLimit() : stayingSeat;
  finish(match, winner, "disqualification", effects);
  return true;
}

/** A server stall doesn't count toward the grace period. */
function extendGrace(match: MatchState, lateness: number): void {
  for (const { link } of match.seats) if (link.state === "away") link.since += lateness;
}

/** Restarts the clocks of the open tick after a server stall. */
function restartTick(match: MatchState, phase: Playing, at: number): void {
  phase.openedAt = at;
  for (const seat of match.seats) if (isOpen(seat) && seat.writtenAt !== null) seat.writtenAt = at;
}

const opponentSeat = (match: MatchState, seat: number): number => (seat + 1) % match.seats.length;

function finish(
  match: MatchState,
  winner: number | null,
  reason: EndReason,
  effects: MatchEffect[],
): void {
  conclude(match, verdictFor(winner, reason), effects);
}

function conclude(match: MatchState, verdict: Verdict, effects: MatchEffect[]): void {
  match.phase = { name: "over", verdict };
  effects.push({ type: "over", verdict });
}

/** Ends the match as void after a server fault. Finished ticks stay recorded. */
export function voidMatch(match: MatchState): Verdict {
  match.phase = { name: "over", verdict: SERVER_FAULT };
  return SERVER_FAULT;
}
