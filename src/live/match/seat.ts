// State of one fighter in a match: decision, response time and grace period. Times are in whole µs.

import type { Deadlines } from "#core/engine/types.ts";
import { exceedsFailedTickShare } from "#core/limits/failed-tick-share.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";

import { OPEN } from "./decision.ts";
import type { Decision } from "./decision.ts";

/** `since` is mutable, because a server stall moves it. */
type Link = { readonly state: "here" } | { readonly state: "away"; since: number };

export type Seat = {
  link: Link;
  /** The fighter's decision in the current tick; open until a turn or fault arrives. */
  decision: Decision;
  /** When this tick's observation was first written to the fighter; null if it hasn't been. */
  writtenAt: number | null;
  /** Remaining response time in the match. */
  budget: number;
  /** Time charged for the previous tick; null if nothing was charged. */
  lastCharge: number | null;
  lastFailure: FailedTick | null;
  failuresInARow: number;
  failures: number;
  /**
   * Reply time in the previous tick, for a valid or invalid frame; null if no frame decided the
   * tick.
   */
  lastReply: number | null;
};

export const CONNECTED: Link = { state: "here" };

export function newSeat({ budget_ms }: Deadlines): Seat {
  return {
    link: CONNECTED,
    decision: OPEN,
    writtenAt: null,
    budget: budget_ms * 1000,
    lastCharge: null,
    lastFailure: null,
    failuresInARow: 0,
    failures: 0,
    lastReply: null,
  };
}

export const isConnected = ({ link }: Seat): boolean => link.state === "here";

export const isOpen = ({ decision }: Seat): boolean => decision.state === "open";

/**
 * Returns when the fighter's time in the current tick ends: at the tick limit or when its budget is
 * used up, whichever is earlier.
 */
export function deadlineOf(seat: Seat, openedAt: number, { tick_ms }: Deadlines): number {
  return openedAt + Math.min(tick_ms * 1000, seat.budget);
}

/** Returns when a disconnected fighter forfeits; Infinity if it is connected. */
export function graceEnd({ reconnect_ms }: Deadlines, { link }: Seat): number {
  return link.state === "away" ? link.since + reconnect_ms * 1000 : Infinity;
}

export function wouldDisqualify(seat: Seat, tick: number, deadlines: Deadlines): boolean {
  if (seat.decision.state === "turn") return false;
  return (
    seat.failuresInARow === deadlines.failed_ticks_to_disqualify - 1 ||
    exceedsFailedTickShare(seat.failures + 1, tick + 1)
  );
}

/**
 * Returns which fighters are disqualified. The rule for consecutive failed ticks takes precedence
 * over the rule for their share. Replay verification applies the same order.
 */
export function disqualifiedFlags(
  seats: readonly Seat[],
  tick: number,
  { failed_ticks_to_disqualify: max }: Deadlines,
): boolean[] {
  const failedInARow = seats.map(({ failuresInARow }) => failuresInARow >= max);
  return failedInARow.includes(true)
    ? failedInARow
    : seats.map(({ failures }) => exceedsFailedTickShare(failures, tick));
}

/** Charges the closing tick to the fighter and records a failed tick. */
export function chargeTick(seat: Seat, openedAt: number, deadlines: Deadlines): void {
  const { budget } = seat;
  seat.lastCharge = chargeOf(seat, deadlineOf(seat, openedAt, deadlines));
  seat.lastReply = replyTime(seat);
  seat.budget -= seat.lastCharge ?? 0;
  seat.lastFailure = failureOf(seat, deadlines, budget);
  seat.failuresInARow = seat.lastFailure === null ? 0 : seat.failuresInARow + 1;
  seat.failures += Number(seat.lastFailure !== null);
}

/** A frame that arrived before the observation was written counts as 0 µs. */
function replyTime({ decision, writtenAt }: Seat): number | null {
  if (decision.state === "open") return null;
  return Math.max(0, decision.at - (writtenAt ?? decision.at));
}

/** Measured from the first write of the observation to the deciding frame or the deadline. */
function chargeOf(seat: Seat, deadline: number): number | null {
  const { decision, writtenAt, budget } = seat;
  if (writtenAt === null || (isOpen(seat) && !isConnected(seat))) return null;
  const until = decision.state === "open" ? deadline : decision.at;
  return Math.min(budget, Math.max(0, until - writtenAt));
}

/** `budget` is the remaining response time in µs at the start of the tick. */
function failureOf(
  { decision, link }: Seat,
  { tick_ms }: Deadlines,
  budget: number,
): FailedTick | null {
  switch (decision.state) {
    case "turn":
      return null;
    case "fault":
      return decision.fault;
    case "open":
      return link.state === "away"
        ? { reason: "disconnected", message: "No connection when the tick closed." }
        : { reason: "timeout", message: timeoutText(tick_ms, Math.floor(budget / 1000)) };
  }
}

function timeoutText(tickMs: number, remainingMs: number): string {
  if (remainingMs >= tickMs) return `No turn within ${tickMs} ms.`;
  if (remainingMs > 0) return `No turn within the remaining budget of ${remainingMs} ms.`;
  return "No turn: the response time budget of this match is used up.";
}
