import { FAILED_TICK_SHARE_PERCENT, FAILED_TICK_SHARE_MIN_TICKS } from "./failed-tick-share.ts";
import { COUNT_SETTING, DAY_S, fixedLimit } from "./limit-row.ts";

export const MESSAGE_RATE_LIMITS = {
  floods_to_suspend: {
    group: "messages",
    default: 5,
    about: "disconnections for too many messages within `flood_window_s` that suspend a bot",
    ...COUNT_SETTING,
    applies: "at once",
  },
  flood_window_s: fixedLimit("messages", 600, "seconds in which such disconnections are counted"),
  flood_suspension_s: {
    group: "messages",
    default: 3600,
    about: "seconds of suspension for a flooding bot; 0 turns suspension off",
    type: "number",
    least: 0,
    most: DAY_S,
    applies: "at once",
  },
  flood_audit_every_s: fixedLimit(
    "messages",
    3600,
    "seconds between two audit entries about a flooding bot",
  ),
} as const;

export const FAILED_TICK_LIMITS = {
  failed_share_ticks: fixedLimit(
    "deadlines",
    FAILED_TICK_SHARE_MIN_TICKS,
    "ticks of a match before the share of failed ticks counts",
  ),
  failed_share_percent: fixedLimit(
    "deadlines",
    FAILED_TICK_SHARE_PERCENT,
    "percentage of failed ticks that loses a match",
  ),
} as const;
