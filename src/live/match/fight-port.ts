// How a match reaches its fight: the engine's, or one drawn by a simulator.

import type { Outcome } from "#core/engine/outcome.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";

import type { Seat } from "./seat.ts";
import type { MatchSetup } from "./setup.ts";
import type { Verdict } from "./verdict.ts";

/** The server's part of an observation, about the previous tick. */
export type Told = {
  /** Whole ms, rounded down. */
  budgetMs: number;
  /** Whole ms; null if nothing was charged. */
  lastReplyMs: number | null;
  failed: FailedTick | null;
};

export type MatchFight = {
  /** The observation message of a seat, as text. */
  observation(seat: number, told: Told): string;
  /** Plays one tick from the seats' decisions. An outcome ends the fight. */
  play(seats: readonly Seat[]): Outcome | null;
  /** Who would win if the tick limit were now; null for a draw. */
  leader(): number | null;
  /** Everything needed to write up replay and statistics, once the match is over. */
  record(verdict: Verdict): unknown;
  /**
   * The record of a void match without ticks, for a match whose own record cannot be written up.
   */
  blankRecord(): unknown;
};

/** Creates the fight of a new match. */
export type Fights = (setup: MatchSetup) => MatchFight;
