// Limits of bots that flood or fail most of their ticks. Part of the one table, in limits.ts.

import { FAILED_SHARE_PERCENT, FAILED_SHARE_TICKS } from "./failed-share.ts";
import { COUNT, DAY_S, fixed } from "./limit-row.ts";

export const FLOOD_LIMITS = {
  floods_to_suspend: {
    group: "messages",
    default: 5,
    about: "disconnections for too many messages within `flood_window_s` that suspend a bot",
    ...COUNT,
    applies: "at once",
  },
  flood_window_s: fixed("messages", 600, "seconds in which such disconnections are counted"),
  flood_suspension_s: {
    group: "messages",
    default: 3600,
    about: "seconds for which a flooding bot cannot connect; with 0 it is never suspended",
    type: "number",
    least: 0,
    most: DAY_S,
    applies: "at once",
  },
  flood_audit_every_s: fixed(
    "messages",
    3600,
    "seconds between two audit entries of a flooding bot",
  ),
} as const;

export const FAILED_SHARE_LIMITS = {
  failed_share_ticks: fixed(
    "deadlines",
    FAILED_SHARE_TICKS,
    "ticks of a match after which the share of failed ticks counts",
  ),
  failed_share_percent: fixed(
    "deadlines",
    FAILED_SHARE_PERCENT,
    "percent of the ticks of a match that lose it if they failed",
  ),
} as const;
