// How a match reaches its fight: the engine's, or one that a simulator draws.

import type { Outcome } from "#core/engine/outcome.ts";
import type { FailedTick } from "#core/protocol/print-observation.ts";

import type { Seat } from "./seat.ts";
import type { MatchSetup } from "./setup.ts";
import type { Verdict } from "./verdict.ts";

/** What an observation tells of the server's side of the tick before. */
export type Told = {
  /** Whole ms, rounded down. */
  budgetMs: number;
  /** Whole ms; null when nothing was charged. */
  lastReplyMs: number | null;
  failed: FailedTick | null;
};

export type MatchFight = {
  /** The observation message of a seat, as text. */
  observation(seat: number, told: Told): string;
  /** Plays one tick from what the seats decided; an outcome ends the fight. */
  play(seats: readonly Seat[]): Outcome | null;
  /** Who would win if the tick limit were now; null for a draw. */
  leader(): number | null;
  /** Everything that replay and statistics are written up from, once the match is over. */
  record(verdict: Verdict): unknown;
  /** The record of a void match without a tick, for one whose own cannot be written up. */
  blankRecord(): unknown;
};

/** Makes the fight of a new match. */
export type Fights = (setup: MatchSetup) => MatchFight;
