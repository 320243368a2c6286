// Whether a match is rated.

import { UNRATED_REASONS } from "#core/words/rated.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";

/** What is known about a match when it ends. */
export type RatingFacts = {
  /** Nobody was ready in time. */
  nobodyReady: boolean;
  serverFault: boolean;
  mode: Mode;
} & Circumstances;

type Circumstances = {
  /** Whether the account of one of its bots has changed since the match started. */
  accountChanged: boolean;
  enrollmentChanged: boolean;
  /** About the match's ladder. */
  ladderEnabled: boolean;
  windowOpen: boolean;
};

/** A match whose bots and ladder have not changed. */
export const NOTHING_CHANGED: Circumstances = {
  accountChanged: false,
  enrollmentChanged: false,
  ladderEnabled: true,
  windowOpen: true,
};

const HOLDS: Record<UnratedReason, (facts: RatingFacts) => boolean> = {
  nobody_ready: ({ nobodyReady }) => nobodyReady,
  server_fault: ({ serverFault }) => serverFault,
  mode: ({ mode }) => mode !== "ranked",
  account_changed: ({ accountChanged }) => accountChanged,
  enrollment_changed: ({ enrollmentChanged }) => enrollmentChanged,
  ladder_disabled: ({ ladderEnabled }) => !ladderEnabled,
  window_closed: ({ windowOpen }) => !windowOpen,
};

/** The first reason that holds, or null if the match is rated. */
export function unratedReason(facts: RatingFacts): UnratedReason | null {
  return UNRATED_REASONS.find((reason) => HOLDS[reason](facts)) ?? null;
}
