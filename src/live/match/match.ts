// The heart of a live match: (state, event) → effects, without a clock, timer or socket. Times are
// whole microseconds on the caller's monotonic clock.

import { sure } from "#base/units/sure.ts";
import { mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { EndReason } from "#core/engine/types.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { ClientMessage } from "#core/protocol/parse.ts";
import { printHello } from "#core/protocol/print.ts";
import type { MatchId } from "#core/words/ids.ts";

import { OPEN, decisionOf } from "./decision.ts";
import type { MatchFight } from "./fight-port.ts";
import {
  HERE,
  deadlineOf,
  disqualifiedAmong,
  freshSeat,
  graceEnd,
  isHere,
  isLastFailure,
  isOpen,
  decideTick,
} from "./seat.ts";
import type { Seat } from "./seat.ts";
import type { MatchSetup } from "./setup.ts";
import { NOBODY_READY, SERVER_FAULT, verdictFor } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

export type MatchState = {
  readonly setup: MatchSetup;
  readonly fight: MatchFight;
  readonly seats: readonly Seat[];
  /** The current tick; once the match is over, the number of ticks played. */
  tick: number;
  phase: Startup | Playing | Over;
};

type Startup = {
  readonly name: "startup";
  /** When the window opened. */
  openedAt: number;
  /** By seat: has said `ready` on its current connection, or had when it left. */
  readonly ready: boolean[];
};

type Playing = {
  readonly name: "playing";
  /** When the current tick opened. */
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
  /** The match has run on for too long after its ladder closed. */
  | { type: "cut_short" }
  | { type: "due"; at: number }
  | { type: "stalled"; at: number; lateness: number };

type Heard = Extract<MatchEvent, { type: "message" }>;

export type MatchEffect =
  | { type: "send"; seat: number; text: string }
  /** An observation, whose write must be reported back as `written`. */
  | { type: "observe"; seat: number; text: string }
  | { type: "refuse"; seat: number; code: ErrorCode; detail?: string }
  | { type: "over"; verdict: Verdict };

export function createMatch(setup: MatchSetup, fight: MatchFight): MatchState {
  return {
    setup,
    fight,
    seats: setup.fighters.map(() => freshSeat(setup.deadlines)),
    tick: 0,
    phase: { name: "startup", openedAt: 0, ready: setup.fighters.map(() => false) },
  };
}

const seatAt = ({ seats }: MatchState, seat: number): Seat => sure(seats[seat], "seat");

/** Takes one event into the match and returns what must be done, in order. */
export function advance(match: MatchState, event: MatchEvent): MatchEffect[] {
  const effects: MatchEffect[] = [];
  const { phase } = match;
  switch (phase.name) {
    case "startup":
      startUp(match, phase, event, effects);
      break;
    case "playing":
      play(match, phase, event, effects);
      break;
    case "over":
      linger(match, event, effects);
      break;
  }
  return effects;
}

function startUp(
  match: MatchState,
  phase: Startup,
  event: MatchEvent,
  effects: MatchEffect[],
): void {
  switch (event.type) {
    case "opened":
      phase.openedAt = event.at;
      for (const seat of match.seats.keys()) greet(match, seat, effects);
      break;
    case "message":
      hearInStartup(match, phase, event, effects);
      break;
    case "attached":
      phase.ready[event.seat] = false;
      attach(match, event.seat, effects);
      break;
    case "dropped":
      seatAt(match, event.seat).link = { state: "away", since: event.at };
      break;
    case "removed":
      finish(match, otherSeat(match, event.seat), "forfeit", effects);
      break;
    case "cut_short":
      endStartup(match, phase, effects);
      break;
    case "due":
      if (event.at >= startupEnd(match, phase)) endStartup(match, phase, effects);
      break;
    case "stalled":
      excuseAbsent(match, event.lateness);
      phase.openedAt += event.lateness;
      break;
    // No write before the first tick matters.
    case "written":
      break;
  }
}

function play(match: MatchState, phase: Playing, event: MatchEvent, effects: MatchEffect[]): void {
  switch (event.type) {
    case "message":
      decide(match, phase, event, effects);
      break;
    case "written":
      seatAt(match, event.seat).writtenAt ??= event.at;
      break;
    case "attached":
      attach(match, event.seat, effects);
      show(match, event.seat, effects);
      break;
    case "dropped":
      seatAt(match, event.seat).link = { state: "away", since: event.at };
      break;
    case "removed":
      finish(match, otherSeat(match, event.seat), "forfeit", effects);
      break;
    case "cut_short":
      finish(match, match.fight.leader(), "forfeit", effects);
      break;
    case "due":
      settle(match, phase, event.at, effects);
      break;
    case "stalled":
      excuseAbsent(match, event.lateness);
      restartTick(match, phase, event.at);
      break;
    case "opened":
      break;
  }
}

/** With or without a readable version: a bot in a match cannot queue. */
const isQueue = ({ type }: ClientMessage): boolean => type === "queue" || type === "bad_queue";

/** Until its `end` is sent, a bot is still in the finished match. */
function linger(match: MatchState, event: MatchEvent, effects: MatchEffect[]): void {
  if (event.type === "attached") greet(match, event.seat, effects);
  if (event.type === "message" && isQueue(event.message)) refuseQueue(event.seat, effects);
}

/** When the match needs its next `due` event; Infinity if it waits for nothing. */
export function nextDue(match: MatchState): number {
  const { phase } = match;
  switch (phase.name) {
    case "startup":
      return startupEnd(match, phase);
    case "playing":
      return Math.min(forfeitDue(match, phase), tickDue(match, phase));
    case "over":
      return Infinity;
  }
}

const startupEnd = ({ setup }: MatchState, { openedAt }: Startup): number =>
  openedAt + setup.deadlines.startup_ms * 1000;

/** People cannot follow ticks that end as soon as a bot has decided: theirs last their whole time. */
const isTimed = ({ setup }: MatchState): boolean => setup.mode === "human";

/**
 * A tick closes when its last open fighter is out of time, so the others' deadlines need no timer.
 */
function tickDue(match: MatchState, phase: Playing): number {
  let close = -Infinity;
  for (const seat of match.seats)
    if (isOpen(seat) || isTimed(match)) close = Math.max(close, tickEnd(match, phase, seat));
  return close;
}

/** The fighter's own deadline in the current tick. */
const tickEnd = ({ setup }: MatchState, { openedAt }: Playing, seat: Seat): number =>
  deadlineOf(seat, openedAt, setup.deadlines);

function greet(match: MatchState, seat: number, effects: MatchEffect[]): void {
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

/** A new connection inherits the match: same budget, same deadline, and hello again. */
function attach(match: MatchState, index: number, effects: MatchEffect[]): void {
  seatAt(match, index).link = HERE;
  greet(match, index, effects);
}

function refuseQueue(seat: number, effects: MatchEffect[]): void {
  effects.push({ type: "refuse", seat, code: "already_queued" });
}

function hearInStartup(
  match: MatchState,
  { ready }: Startup,
  { seat, at, message }: Heard,
  effects: MatchEffect[],
): void {
  if (isQueue(message)) refuseQueue(seat, effects);
  if (message.type === "bad") {
    const { reason, message: detail } = message.fault;
    effects.push({ type: "refuse", seat, code: reason, detail });
  }
  if (message.type !== "ready" || !namesMatch(match, message.matchId)) return;
  ready[seat] = true;
  if (!ready.includes(false)) startPlay(match, at, effects);
}

const namesMatch = (match: MatchState, matchId: MatchId | null): boolean =>
  matchId === null || matchId === match.setup.matchId;

/** A fighter that is away gets its whole grace from now on. */
function startPlay(match: MatchState, at: number, effects: MatchEffect[]): void {
  const phase: Playing = { name: "playing", openedAt: at };
  match.phase = phase;
  for (const { link } of match.seats) if (link.state === "away") link.since = at;
  openTick(match, phase, at, effects);
}

/**
 * The first turn, unknown message or unreadable frame after the observation decides the tick; in a
 * timed one the last.
 */
function decide(match: MatchState, phase: Playing, event: Heard, effects: MatchEffect[]): void {
  const { at, message } = event;
  if (isQueue(message)) refuseQueue(event.seat, effects);
  const seat = seatAt(match, event.seat);
  if (!(isOpen(seat) || isTimed(match)) || at >= tickEnd(match, phase, seat)) return;
  const decision = decisionOf(message, match.tick, at);
  if (decision !== OPEN) seat.decision = decision;
  if (!isTimed(match) && !match.seats.some(isOpen)) closeTick(match, phase, at, effects);
}

/** Something is due during play: a grace, or the deadline of the tick. */
function settle(match: MatchState, phase: Playing, at: number, effects: MatchEffect[]): void {
  if (at >= forfeitDue(match, phase)) forfeitAbsent(match, at, effects);
  else if (at >= tickDue(match, phase)) closeTick(match, phase, at, effects);
}

function endStartup(match: MatchState, { ready }: Startup, effects: MatchEffect[]): void {
  const seat = ready.indexOf(true);
  if (seat === -1) conclude(match, NOBODY_READY, effects);
  else finish(match, seat, "forfeit", effects);
}

/**
 * When the last of the graces that run out within the current tick has run out, so that two of them
 * are judged together. A tick that could be the final failed one is played to its end first.
 */
function forfeitDue(match: MatchState, phase: Playing): number {
  const { deadlines } = match.setup;
  if (match.seats.every(isHere)) return Infinity;
  const close = Math.max(...match.seats.map((seat) => tickEnd(match, phase, seat)));
  const ends = match.seats
    .filter((seat) => !isLastFailure(seat, match.tick, deadlines))
    .map((seat) => graceEnd(deadlines, seat))
    .filter((end) => end <= close);
  return ends.length === 0 ? Infinity : Math.max(...ends);
}

function forfeitAbsent(match: MatchState, at: number, effects: MatchEffect[]): void {
  const isGone = (seat: Seat) => graceEnd(match.setup.deadlines, seat) <= at;
  const staying = match.seats.findIndex((seat) => !isGone(seat));
  finish(match, staying === -1 ? match.fight.leader() : staying, "forfeit", effects);
}

function openTick(match: MatchState, phase: Playing, at: number, effects: MatchEffect[]): void {
  phase.openedAt = at;
  for (const seat of match.seats) {
    seat.decision = OPEN;
    seat.writtenAt = null;
  }
  // The seat that is written to first alternates, so that neither always sees the tick earlier.
  const { length } = match.seats;
  for (let turn = 0; turn < length; turn += 1) show(match, (match.tick + turn) % length, effects);
}

function show(match: MatchState, index: number, effects: MatchEffect[]): void {
  const seat = seatAt(match, index);
  if (!isHere(seat)) return;
  const text = match.fight.observation(index, {
    budgetMs: Math.floor(seat.budget / 1000),
    lastReplyMs: seat.charged === null ? null : Math.round(seat.charged / 1000),
    failed: seat.failed,
  });
  effects.push({ type: "observe", seat: index, text });
}

function closeTick(match: MatchState, phase: Playing, at: number, effects: MatchEffect[]): void {
  if (isTimed(match)) standStill(match, at);
  for (const seat of match.seats) decideTick(seat, phase.openedAt, match.setup.deadlines);
  const outcome = match.fight.play(match.seats);
  match.tick += 1;
  if (outcome !== null) finish(match, outcome.winner, outcome.reason, effects);
  else if (!disqualify(match, effects)) openTick(match, phase, at, effects);
}

/** In a timed tick, who says nothing does nothing. */
function standStill({ seats }: MatchState, at: number): void {
  for (const seat of seats)
    if (isOpen(seat) && isHere(seat)) seat.decision = { state: "turn", turn: {}, at };
}

/** Returns true if too many failed ticks have ended the match. */
function disqualify(match: MatchState, effects: MatchEffect[]): boolean {
  const isOut = disqualifiedAmong(match.seats, match.tick, match.setup.deadlines);
  if (!isOut.includes(true)) return false;
  const staying = isOut.indexOf(false);
  const winner = staying === -1 ? match.fight.leader() : staying;
  finish(match, winner, "disqualification", effects);
  return true;
}

/** A stall of the server does not count against a grace. */
function excuseAbsent(match: MatchState, lateness: number): void {
  for (const { link } of match.seats) if (link.state === "away") link.since += lateness;
}

/** Nor against a tick: its clocks start again. */
function restartTick(match: MatchState, phase: Playing, at: number): void {
  phase.openedAt = at;
  for (const seat of match.seats) if (isOpen(seat) && seat.writtenAt !== null) seat.writtenAt = at;
}

const otherSeat = (match: MatchState, seat: number): number => (seat + 1) % match.seats.length;

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

/** Ends the match as void after a server fault. What was played stays recorded. */
export function voidMatch(match: MatchState): Verdict {
  match.phase = { name: "over", verdict: SERVER_FAULT };
  return SERVER_FAULT;
}
