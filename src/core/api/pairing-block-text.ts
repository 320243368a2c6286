// Explains to operators why no match starts.

import type { PairingBlock } from "#core/pairing/pairing-block.ts";
import { PATIENCE_SECONDS } from "#core/pairing/rules.ts";

export const PAIRING_BLOCK_TEXT: Readonly<Record<PairingBlock, string>> = {
  draining: "The server is shutting down.",
  results_unsaved: "Results are waiting for the database, so no match starts.",
  nobody_waiting: "No bot is waiting.",
  capacity_zero: "max_concurrent is 0, so no match starts.",
  capacity_full: "As many matches are running as max_concurrent allows.",
  quota: "Every waiting bot has used up its quota (hourly_quota, owner_daily_quota).",
  owner_concurrency:
    "Every waiting bot's owner is playing as many matches as owner_concurrency allows.",
  all_held:
    "Every waiting bot is held back for the moment by a quota, owner_concurrency, " +
    "match_interval_s, a practice match or its deletion.",
  one_bot: "Only one bot is waiting, and no house bot is free.",
  one_owner: "All waiting bots belong to one owner. Bots of one owner never play each other.",
  house_capacity:
    "Only house bots are left as opponents, and house_concurrency allows no more matches with them.",
  rematch_hold: "The waiting bots have just played each other and must wait for rematch_hold_s.",
  rating_window:
    "The waiting bots are too far apart in rating. The rating window widens as they wait; " +
    `after ${PATIENCE_SECONDS} s any two may meet.`,
};
