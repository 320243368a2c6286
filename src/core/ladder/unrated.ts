import { UNRATED_REASONS } from "#core/ids/match-modes.ts";
import type { MatchMode, UnratedReason } from "#core/ids/match-modes.ts";

export type RatingFacts = {
  isNobodyReady: boolean;
  serverFault: boolean;
  mode: MatchMode;
} & MatchChanges;

type MatchChanges = {
  accountChanged: boolean;
  enrollmentChanged: boolean;
  ladderEnabled: boolean;
  windowOpen: boolean;
};

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

/** Returns the first reason why a match is unrated, or null if it's rated. */
export function unratedReason(ratingFacts: RatingFacts): UnratedReason | null {
  return UNRATED_REASONS.find((reason) => REASON_CHECKS[reason](ratingFacts)) ?? null;
}
