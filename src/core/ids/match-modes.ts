export const MATCH_MODES = ["ranked", "human", "practice"] as const;
export type MatchMode = (typeof MATCH_MODES)[number];

/** Label of a person's seat. `name` also replaces the bot id. */
export const HUMAN_SEAT = { name: "human", version: "-" } as const;

/** In order of precedence. If several apply, the first is reported. */
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
