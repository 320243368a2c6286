// Interface between a match and its engine or a simulator.

import type { Outcome } from "#core/engine/outcome.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";

import type { MatchSetup } from "./match-setup.ts";
import type { Seat } from "./seat.ts";
import type { Verdict } from "./verdict.ts";

/** The server's fields of an observation, about the previous tick. */
export type ServerFields = {
  /** Whole ms, rounded down. */
  budgetMs: number;
  /** Whole ms; null if nothing was charged. */
  lastReplyMs: number | null;
  lastFailure: FailedTick | null;
};

export type MatchEngine = {
  /** Returns the observation message of a seat as text. */
  printObservationFor(seat: number, serverFields: ServerFields): string;
  /** Plays one tick from the seats' decisions. An outcome ends the match. */
  play(seats: readonly Seat[]): Outcome | null;
  /** Returns the winner if the tick limit were now; null for a draw. */
  leaderAtLimit(): number | null;
  /** Returns the record from which replay and statistics are written, once the match is over. */
  record(verdict: Verdict): unknown;
  /**
   * Returns the record of a void match without ticks, used if the match's own record can't be
   * written.
   */
  blankRecord(): unknown;
};

/** Creates the engine of a new match. */
export type CreateMatchEngine = (setup: MatchSetup) => MatchEngine;
