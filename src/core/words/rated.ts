// The kinds of matches, and the reasons why one does not count for ratings.

export const MODES = ["ranked", "human", "practice"] as const;
export type Mode = (typeof MODES)[number];

/** How a person's seat is labelled; the name stands in for a bot id too. */
export const HUMAN = { name: "human", version: "-" } as const;

/** In order of precedence: if several hold, the first is reported. */
export const UNRATED_REASONS = [
  "nobody_ready",
  "server_fault",
  "mode",
  "account_changed",
  "enrollment_changed",
  "ladder_disabled",
  "window_closed",
] as const;
export type UnratedReason = (typeof UNRATED_REASONS)[number];
