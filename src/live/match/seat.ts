// One side of a match: what decides its tick, what its turns cost, and when it is given up. Times
// are whole microseconds.

import type { Deadlines } from "#core/engine/types.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";
import { failsTooOften } from "#core/words/failed-share.ts";

import { OPEN } from "./decision.ts";
import type { Decision } from "./decision.ts";

/** Times in a state change in place: a stall of the server moves them. */
type Link = { readonly state: "here" } | { readonly state: "away"; since: number };

export type Seat = {
  /** Whether the fighter has a connection. */
  link: Link;
  /** Set by the first turn or fault after the observation of the current tick. */
  decision: Decision;
  /** First write of this tick's observation to this fighter; null if it was never written. */
  writtenAt: number | null;
  /** Response time left in the match. */
  budget: number;
  /** What the previous tick cost, or null. */
  charged: number | null;
  /** The previous tick, if it failed. */
  failed: FailedTick | null;
  failuresInARow: number;
  /** Failed ticks in the whole match. */
  failures: number;
  /**
   * How long the deciding frame of the previous tick took, valid or not, in µs; null if there was
   * none.
   */
  replied: number | null;
};

export const HERE: Link = { state: "here" };

export function freshSeat({ budget_ms }: Deadlines): Seat {
  return {
    link: HERE,
    decision: OPEN,
    writtenAt: null,
    budget: budget_ms * 1000,
    charged: null,
    failed: null,
    failuresInARow: 0,
    failures: 0,
    replied: null,
  };
}

export const isHere = ({ link }: Seat): boolean => link.state === "here";

export const isOpen = ({ decision }: Seat): boolean => decision.state === "open";

/**
 * When this fighter's time in the current tick is over: after the tick's limit or its whole budget.
 */
export function deadlineOf(seat: Seat, openedAt: number, { tick_ms }: Deadlines): number {
  return openedAt + Math.min(tick_ms * 1000, seat.budget);
}

/** When an absent fighter is given up; Infinity if it is present. */
export function graceEnd({ reconnect_ms }: Deadlines, { link }: Seat): number {
  return link.state === "away" ? link.since + reconnect_ms * 1000 : Infinity;
}

/** Whether failing the current tick would disqualify the fighter. */
export function isLastFailure(seat: Seat, tick: number, deadlines: Deadlines): boolean {
  if (seat.decision.state === "turn") return false;
  return (
    seat.failuresInARow === deadlines.failed_ticks_to_disqualify - 1 ||
    failsTooOften(seat.failures + 1, tick + 1)
  );
}

/**
 * Which fighters have failed too many ticks: in a row or else, where nobody has, as a share of all.
 * Replays are checked in the same order.
 */
export function disqualifiedAmong(
  seats: readonly Seat[],
  tick: number,
  { failed_ticks_to_disqualify: most }: Deadlines,
): boolean[] {
  const byRow = seats.map(({ failuresInARow }) => failuresInARow >= most);
  return byRow.includes(true) ? byRow : seats.map(({ failures }) => failsTooOften(failures, tick));
}

/** Charges the closing tick to the fighter and records whether it failed. */
export function decideTick(seat: Seat, openedAt: number, deadlines: Deadlines): void {
  const { budget } = seat;
  seat.charged = chargeOf(seat, deadlineOf(seat, openedAt, deadlines));
  seat.replied = replyTime(seat);
  seat.budget -= seat.charged ?? 0;
  seat.failed = failureOf(seat, deadlines, budget);
  seat.failuresInARow = seat.failed === null ? 0 : seat.failuresInARow + 1;
  seat.failures += Number(seat.failed !== null);
}

/** A frame that came before the observation was sent took no time. */
function replyTime({ decision, writtenAt }: Seat): number | null {
  if (decision.state === "open") return null;
  return Math.max(0, decision.at - (writtenAt ?? decision.at));
}

/** From the first write of the observation to the deciding frame, or to the deadline. */
function chargeOf(seat: Seat, deadline: number): number | null {
  const { decision, writtenAt, budget } = seat;
  if (writtenAt === null || (isOpen(seat) && !isHere(seat))) return null;
  const until = decision.state === "open" ? deadline : decision.at;
  return Math.min(budget, Math.max(0, until - writtenAt));
}

/** `budget` is what was left when the tick opened, in µs. */
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

function timeoutText(tickMs: number, leftMs: number): string {
  if (leftMs >= tickMs) return `No turn within ${tickMs} ms.`;
  if (leftMs > 0) return `No turn within the ${leftMs} ms that were left of the budget.`;
  return "No turn: the match's budget of response time is used up.";
}
