// Whether a match is rated.

import { UNRATED_REASONS } from "#core/words/rated.ts";
import type { Mode, UnratedReason } from "#core/words/rated.ts";

/** What is known of a match at its end. */
export type RatingFacts = {
  /** Nobody was ready in time. */
  nobodyReady: boolean;
  serverFault: boolean;
  mode: Mode;
} & Circumstances;

type Circumstances = {
  /** Of one of its bots, since the match started. */
  accountChanged: boolean;
  enrollmentChanged: boolean;
  /** Of its ladder. */
  ladderEnabled: boolean;
  windowOpen: boolean;
};

/** Of a match whose bots and ladder stayed what they were. */
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

/** The first reason that holds; null for a match that is rated. */
export function unratedReason(facts: RatingFacts): UnratedReason | null {
  return UNRATED_REASONS.find((reason) => HOLDS[reason](facts)) ?? null;
}
