// One side of a match: what decides its tick, what its turns cost, when it is given up.
// Times are whole microseconds.

import type { Deadlines, Turn } from "#core/engine/types.ts";
import type { MessageFault } from "#core/protocol/parse.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";

export type Seat = {
  /** A connection is attached now. */
  present: boolean;
  /** Said `ready` on the connection that is attached, or was when it left. */
  ready: boolean;
  /** What decides the running tick: the first turn or fault after the observation. */
  decision: Turn | MessageFault | null;
  decidedAt: number;
  /** First write of this tick's observation to this fighter; null while it was never written. */
  writtenAt: number | null;
  /** Response time left in the match. */
  budget: number;
  /** What the tick before cost; null when it cost nothing. */
  charged: number | null;
  /** The tick before, when it failed. */
  failed: FailedTick | null;
  failuresInARow: number;
  /** What the deciding frame of the tick before took, valid or not, in µs; null for none. */
  replied: number | null;
  /** Since when the fighter has no connection. */
  awaySince: number | null;
};

export function freshSeat({ budget_ms }: Deadlines): Seat {
  return {
    present: true,
    ready: false,
    decision: null,
    decidedAt: 0,
    writtenAt: null,
    budget: budget_ms * 1000,
    charged: null,
    failed: null,
    failuresInARow: 0,
    replied: null,
    awaySince: null,
  };
}

export const isFault = (decision: Turn | MessageFault): decision is MessageFault =>
  "reason" in decision;

export const isOpen = (seat: Seat): boolean => seat.decision === null;

/** When the running tick's time is over for this fighter: the tick's limit or its whole budget. */
export function deadlineOf(seat: Seat, openedAt: number, { tick_ms }: Deadlines): number {
  return openedAt + Math.min(tick_ms * 1000, seat.budget);
}

/** When an absent fighter is given up; Infinity for one that is there. */
export function graceEnd({ reconnect_ms }: Deadlines, seat: Seat): number {
  return seat.awaySince === null ? Infinity : seat.awaySince + reconnect_ms * 1000;
}

/** The running tick would be the one too many in a row of failed ones. */
export function isLastFailure(seat: Seat, deadlines: Deadlines): boolean {
  const isFailing = seat.decision === null || isFault(seat.decision);
  return isFailing && seat.failuresInARow === deadlines.failed_ticks_to_disqualify - 1;
}

/** Charges the closing tick to the fighter and notes whether it failed. */
export function judgeTick(seat: Seat, openedAt: number, deadlines: Deadlines): void {
  const { budget } = seat;
  seat.charged = chargeOf(seat, deadlineOf(seat, openedAt, deadlines));
  seat.replied = replyTime(seat);
  seat.budget -= seat.charged ?? 0;
  seat.failed = failureOf(seat, deadlines, budget);
  seat.failuresInARow = seat.failed === null ? 0 : seat.failuresInARow + 1;
}

/** A frame that came before the observation was out took no time. */
function replyTime({ decision, decidedAt, writtenAt }: Seat): number | null {
  if (decision === null) return null;
  return Math.max(0, decidedAt - (writtenAt ?? decidedAt));
}

/** From the first write of the observation to the deciding frame, or to the deadline. */
function chargeOf(seat: Seat, deadline: number): number | null {
  if (seat.writtenAt === null || (isOpen(seat) && !seat.present)) return null;
  const until = isOpen(seat) ? deadline : seat.decidedAt;
  return Math.min(seat.budget, Math.max(0, until - seat.writtenAt));
}

/** `budget` is what was left when the tick opened, in µs. */
function failureOf(
  { decision, present }: Seat,
  { tick_ms }: Deadlines,
  budget: number,
): FailedTick | null {
  if (decision !== null) return isFault(decision) ? decision : null;
  if (!present) return { reason: "disconnected", message: "No connection when the tick closed." };
  return { reason: "timeout", message: timeoutText(tick_ms, Math.floor(budget / 1000)) };
}

function timeoutText(tickMs: number, leftMs: number): string {
  if (leftMs >= tickMs) return `No turn within ${tickMs} ms.`;
  if (leftMs > 0) return `No turn within the ${leftMs} ms that were left of the budget.`;
  return "No turn: the match's budget of response time is used up.";
}
