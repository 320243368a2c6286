import type { Outcome } from "#core/engine/outcome.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";

import type { MatchSetup } from "./match-setup.ts";
import type { Seat } from "./seat.ts";
import type { Verdict } from "./verdict.ts";

/** Server fields of an observation. They describe the previous tick. */
export type ServerFields = {
  /** Remaining response time in whole ms, rounded down. */
  budgetMs: number;
  /** Charge in whole ms; null if nothing was charged. */
  lastReplyMs: number | null;
  lastFailure: FailedTick | null;
};

export type MatchEngine = {
  printObservationFor(seat: number, serverFields: ServerFields): string;
  /** Plays one tick with the seats' decisions. Returns an outcome if the match is over. */
  play(seats: readonly Seat[]): Outcome | null;
  /** Returns the seat that would win if the tick limit were reached now; null for a draw. */
  leaderAtLimit(): number | null;
  /** Returns the state after the last tick and the events that spectators see, as JSON text. */
  printFrame(): string;
  /** Returns the finished match's record, from which replay and statistics are written. */
  record(verdict: Verdict): unknown;
  /** Returns a void record without ticks, for use when the match's own record can't be written. */
  blankRecord(): unknown;
};

export type CreateMatchEngine = (setup: MatchSetup) => MatchEngine;
