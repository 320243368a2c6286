// Whether a match is rated.

import { UNRATED_REASONS } from "#core/ids/match-modes.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";

/** Facts about a match when it ends. */
export type RatingFacts = {
  /** Neither bot was ready in time. */
  isNobodyReady: boolean;
  serverFault: boolean;
  mode: MatchMode;
} & MatchChanges;

type MatchChanges = {
  /** Whether the account of one of its bots has changed since the match started. */
  accountChanged: boolean;
  enrollmentChanged: boolean;
  /** About the match's ladder. */
  ladderEnabled: boolean;
  windowOpen: boolean;
};

/** A match whose bots and ladder haven't changed. */
export const NO_MATCH_CHANGES: MatchChanges = {
  accountChanged: false,
  enrollmentChanged: false,
  ladderEnabled: true,
  windowOpen: true,
};

const REASON_CHECKS: Record<UnratedReason, (ratingFacts: RatingFacts) => boolean> = {
  nobody_ready: ({ isNobodyReady }) => isNobodyReady,
  server_fault: ({ serverFault }) => serverFault,
  mode: ({ mode }) => mode !== "ranked",
  account_changed: ({ accountChanged }) => accountChanged,
  enrollment_changed: ({ enrollmentChanged }) => enrollmentChanged,
  ladder_disabled: ({ ladderEnabled }) => !ladderEnabled,
  window_closed: ({ windowOpen }) => !windowOpen,
};

/** Returns the first reason that applies, or null if the match is rated. */
export function unratedReason(ratingFacts: RatingFacts): UnratedReason | null {
  return UNRATED_REASONS.find((reason) => REASON_CHECKS[reason](ratingFacts)) ?? null;
}
