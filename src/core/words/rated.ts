// What kinds of matches there are, and why one counts for no rating.

export const MODES = ["ranked", "human", "practice"] as const;
export type Mode = (typeof MODES)[number];

/** What a person is called in a match, and what stands for an id and a version. */
export const HUMAN = { name: "human", version: "-" } as const;

/** In order: of several that hold the first is told. */
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
