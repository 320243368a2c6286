// The heart of a live match: (state, event) → effects, with no clock, timer or socket of its own.
// Times are whole microseconds on the monotonic clock of whoever drives it.

import { sure } from "#base/units/sure.ts";
import { mapView } from "#core/engine/maps.ts";
import { RULES } from "#core/engine/rules.ts";
import { fighterIdAt } from "#core/engine/types.ts";
import type { EndReason, Turn } from "#core/engine/types.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import type { ClientMessage, MessageFault } from "#core/protocol/parse.ts";
import { printHello } from "#core/protocol/print.ts";

import type { MatchFight } from "./fight-port.ts";
import { deadlineOf, freshSeat, graceEnd, isLastFailure, isOpen, judgeTick } from "./seat.ts";
import type { Seat } from "./seat.ts";
import type { MatchSetup, Verdict } from "./setup.ts";

export type MatchState = {
  readonly setup: MatchSetup;
  phase: "startup" | "playing" | "over";
  seats: Seat[];
  readonly fight: MatchFight;
  tick: number;
  /** Start of the startup window, then of the running tick. */
  openedAt: number;
  verdict: Verdict | null;
};

export type MatchEvent =
  | { type: "opened"; at: number }
  | { type: "message"; seat: number; at: number; message: ClientMessage }
  | { type: "written"; seat: number; at: number }
  | { type: "attached"; seat: number; at: number }
  | { type: "dropped"; seat: number; at: number }
  | { type: "removed"; seat: number }
  | { type: "due"; at: number }
  | { type: "stalled"; at: number; lateness: number };

export type MatchEffect =
  | { type: "send"; seat: number; text: string }
  /** An observation: its write is to be reported back as `written`. */
  | { type: "observe"; seat: number; text: string }
  | { type: "refuse"; seat: number; code: ErrorCode; detail?: string }
  | { type: "over" };

export function createMatch(setup: MatchSetup, fight: MatchFight): MatchState {
  return {
    setup,
    phase: "startup",
    seats: setup.fighters.map(() => freshSeat(setup.deadlines)),
    fight,
    tick: 0,
    openedAt: 0,
    verdict: null,
  };
}

const seatAt = ({ seats }: MatchState, seat: number): Seat => sure(seats[seat], "seat");

/** Takes one event into the match and says what is to be done, in order. */
export function advance(match: MatchState, event: MatchEvent): MatchEffect[] {
  const effects: MatchEffect[] = [];
  if (match.phase === "over") {
    lingers(match, event, effects);
    return effects;
  }
  switch (event.type) {
    case "opened":
      open(match, event.at, effects);
      break;
    case "message":
      hear(match, event.seat, event.at, event.message, effects);
      break;
    case "written":
      seatAt(match, event.seat).writtenAt ??= event.at;
      break;
    case "attached":
      attach(match, event.seat, effects);
      break;
    case "dropped":
      seatAt(match, event.seat).present = false;
      seatAt(match, event.seat).awaySince = event.at;
      break;
    case "removed":
      finish(match, otherSeat(match, event.seat), "forfeit", effects);
      break;
    case "due":
      settle(match, event.at, effects);
      break;
    case "stalled":
      startAnew(match, event.at, event.lateness);
      break;
  }
  return effects;
}

/** Until its `end` is told, a bot still sits in the match that is over. */
function lingers(match: MatchState, event: MatchEvent, effects: MatchEffect[]): void {
  if (event.type === "attached") greet(match, event.seat, effects);
  if (event.type === "message" && isQueue(event.message))
    effects.push({ type: "refuse", seat: event.seat, code: "already_queued" });
}

/** When the match wants to be asked again; Infinity when it waits for nothing. */
export function nextDue(match: MatchState): number {
  if (match.phase === "over") return Infinity;
  if (match.phase === "startup") return match.openedAt + match.setup.deadlines.startup_ms * 1000;
  // A tick closes when its last open fighter is out of time, so the others' deadlines ring no bell.
  let close = -Infinity;
  for (const seat of match.seats) if (isOpen(seat)) close = Math.max(close, tickEnd(match, seat));
  return Math.min(forfeitDue(match), close);
}

/** The fighter's own deadline of the running tick. */
const tickEnd = (match: MatchState, seat: Seat): number =>
  deadlineOf(seat, match.openedAt, match.setup.deadlines);

function open(match: MatchState, at: number, effects: MatchEffect[]): void {
  match.openedAt = at;
  for (const seat of match.seats.keys()) greet(match, seat, effects);
}

function greet(match: MatchState, seat: number, effects: MatchEffect[]): void {
  const { setup } = match;
  const text = printHello({
    matchId: setup.matchId,
    ladderId: setup.ladderId,
    fighter: fighterIdAt(seat),
    fighters: setup.fighters,
    deadlines: setup.deadlines,
    map: mapView(setup.grid),
    rules: RULES,
  });
  effects.push({ type: "send", seat, text });
}

/** A new connection inherits the match: same budget, same deadline, hello again. */
function attach(match: MatchState, index: number, effects: MatchEffect[]): void {
  const seat = seatAt(match, index);
  seat.present = true;
  seat.awaySince = null;
  if (match.phase === "startup") seat.ready = false;
  greet(match, index, effects);
  if (match.phase === "playing") show(match, index, effects);
}

function hear(
  match: MatchState,
  index: number,
  at: number,
  message: ClientMessage,
  effects: MatchEffect[],
): void {
  if (isQueue(message)) effects.push({ type: "refuse", seat: index, code: "already_queued" });
  else if (match.phase === "startup") hearInStartup(match, index, at, message, effects);
  else decide(match, index, at, message, effects);
}

function hearInStartup(
  match: MatchState,
  index: number,
  at: number,
  message: ClientMessage,
  effects: MatchEffect[],
): void {
  if (message.type === "bad") {
    const { reason, message: detail } = message.fault;
    effects.push({ type: "refuse", seat: index, code: reason, detail });
  }
  if (message.type !== "ready" || !namesMatch(match, message.matchId)) return;
  seatAt(match, index).ready = true;
  if (match.seats.every((seat) => seat.ready)) startPlay(match, at, effects);
}

const namesMatch = (match: MatchState, matchId: string | null): boolean =>
  matchId === null || matchId === match.setup.matchId;

function startPlay(match: MatchState, at: number, effects: MatchEffect[]): void {
  match.phase = "playing";
  for (const seat of match.seats) if (seat.awaySince !== null) seat.awaySince = at;
  openTick(match, at, effects);
}

/** The first turn, unknown message or unreadable frame after the observation decides the tick. */
function decide(
  match: MatchState,
  index: number,
  at: number,
  message: ClientMessage,
  effects: MatchEffect[],
): void {
  const seat = seatAt(match, index);
  const decision = decisionOf(match, message);
  if (decision === null || seat.decision !== null || at >= tickEnd(match, seat)) return;
  seat.decision = decision;
  seat.decidedAt = at;
  if (match.seats.every((other) => other.decision !== null)) closeTick(match, at, effects);
}

/** With or without a readable version: a bot in a match cannot queue. */
const isQueue = ({ type }: ClientMessage): boolean => type === "queue" || type === "bad_queue";

function decisionOf(match: MatchState, message: ClientMessage): Turn | MessageFault | null {
  switch (message.type) {
    case "turn":
    case "bad_turn":
      return turnDecision(match, message);
    case "bad":
      return message.fault;
    case "queue":
    case "bad_queue":
    case "leave":
    case "ready":
      return null;
  }
}

type TurnMessage = Extract<ClientMessage, { type: "turn" | "bad_turn" }>;

/** The tick is looked at first: a turn for an older one is nothing, whatever else it holds. */
function turnDecision(match: MatchState, message: TurnMessage): Turn | MessageFault | null {
  const { tick } = message;
  if (tick !== null && tick < match.tick) return null;
  if (tick !== null && tick > match.tick)
    return { reason: "schema", message: `'tick' is ${match.tick} now, not later.` };
  if (message.type === "turn") return message.turn;
  return { reason: "schema", message: message.message };
}

/** Something fell due: the startup window, a grace, or the deadline of the tick. */
function settle(match: MatchState, at: number, effects: MatchEffect[]): void {
  if (match.phase === "startup") {
    if (at >= nextDue(match)) endStartup(match, effects);
    return;
  }
  if (at >= forfeitDue(match)) forfeitAbsent(match, at, effects);
  else if (match.seats.every((seat) => !isOpen(seat) || at >= tickEnd(match, seat)))
    closeTick(match, at, effects);
}

function endStartup(match: MatchState, effects: MatchEffect[]): void {
  const ready = match.seats.findIndex((seat) => seat.ready);
  if (ready === -1) conclude(match, { voided: true, winner: null, reason: "forfeit" }, effects);
  else finish(match, ready, "forfeit", effects);
}

/**
 * When the graces that run out within the running tick have all run out, so that two of them are
 * judged together. A tick that would be the last failed one is played to its end first.
 */
function forfeitDue(match: MatchState): number {
  const { deadlines } = match.setup;
  if (match.seats.every((seat) => seat.awaySince === null)) return Infinity;
  const close = Math.max(...match.seats.map((seat) => tickEnd(match, seat)));
  const ends = match.seats
    .filter((seat) => !isLastFailure(seat, deadlines))
    .map((seat) => graceEnd(deadlines, seat))
    .filter((end) => end <= close);
  return ends.length === 0 ? Infinity : Math.max(...ends);
}

function forfeitAbsent(match: MatchState, at: number, effects: MatchEffect[]): void {
  const isGone = (seat: Seat) => graceEnd(match.setup.deadlines, seat) <= at;
  const staying = match.seats.findIndex((seat) => !isGone(seat));
  finish(match, staying === -1 ? match.fight.leader() : staying, "forfeit", effects);
}

function openTick(match: MatchState, at: number, effects: MatchEffect[]): void {
  match.openedAt = at;
  for (const seat of match.seats) {
    seat.decision = null;
    seat.writtenAt = null;
  }
  // Whoever is written to first alternates, so that neither seat has the earlier look.
  const { length } = match.seats;
  for (let turn = 0; turn < length; turn += 1) show(match, (match.tick + turn) % length, effects);
}

function show(match: MatchState, index: number, effects: MatchEffect[]): void {
  const seat = seatAt(match, index);
  if (!seat.present) return;
  const text = match.fight.observation(index, {
    budgetMs: Math.floor(seat.budget / 1000),
    lastReplyMs: seat.charged === null ? null : Math.round(seat.charged / 1000),
    failed: seat.failed,
  });
  effects.push({ type: "observe", seat: index, text });
}

function closeTick(match: MatchState, at: number, effects: MatchEffect[]): void {
  for (const seat of match.seats) judgeTick(seat, match.openedAt, match.setup.deadlines);
  const verdict = match.fight.play(match.seats);
  match.tick += 1;
  if (verdict !== null) finish(match, verdict.winner, verdict.reason, effects);
  else if (!disqualify(match, effects)) openTick(match, at, effects);
}

/** True when one failed tick too many in a row ended the match. */
function disqualify(match: MatchState, effects: MatchEffect[]): boolean {
  const { failed_ticks_to_disqualify: most } = match.setup.deadlines;
  const failed = match.seats.map((seat) => seat.failuresInARow >= most);
  if (!failed.includes(true)) return false;
  const winner = failed.includes(false) ? failed.indexOf(false) : match.fight.leader();
  finish(match, winner, "disqualification", effects);
  return true;
}

/** A stall of the server is charged to nobody: the tick's clocks start again. */
function startAnew(match: MatchState, at: number, lateness: number): void {
  for (const seat of match.seats) if (seat.awaySince !== null) seat.awaySince += lateness;
  if (match.phase === "startup") {
    match.openedAt += lateness;
    return;
  }
  match.openedAt = at;
  for (const seat of match.seats) if (isOpen(seat) && seat.writtenAt !== null) seat.writtenAt = at;
}

const otherSeat = (match: MatchState, seat: number): number => (seat + 1) % match.seats.length;

function finish(
  match: MatchState,
  winner: number | null,
  reason: EndReason,
  effects: MatchEffect[],
): void {
  conclude(match, { voided: false, winner, reason }, effects);
}

function conclude(match: MatchState, verdict: Verdict, effects: MatchEffect[]): void {
  match.phase = "over";
  match.verdict = verdict;
  effects.push({ type: "over" });
}

/** Ends the match as void after a fault of the server in it; what was played stays recorded. */
export function voidMatch(match: MatchState): void {
  match.phase = "over";
  match.verdict = { voided: true, winner: null, reason: "server_fault" };
}
