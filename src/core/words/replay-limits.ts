// Limits on how many replays are kept.

import { COUNT, fixed } from "./limit-row.ts";

export const REPLAY_LIMITS = {
  replays_per_bot: {
    group: "replays",
    default: 200,
    about: "newest replays kept of a bot",
    ...COUNT,
    applies: "next cleanup",
  },
  archive_days: fixed(
    "replays",
    14,
    "days of a ladder's window, at most, for its replays to be kept until they are in its archive",
  ),
  archive_replays: {
    group: "replays",
    default: 50_000,
    about: "newest replays kept of such a ladder",
    ...COUNT,
    applies: "next cleanup",
  },
  starred_replays: {
    group: "replays",
    default: 50,
    about: "starred matches of an account, whose replays are kept",
    ...COUNT,
    applies: "at once",
  },
  embedded_replays: {
    group: "replays",
    default: 1000,
    about: "replays kept of matches that other sites embed, the ones shown last",
    ...COUNT,
    applies: "next cleanup",
  },
  casual_replays: fixed("replays", 1000, "newest replays kept of human and practice games"),
  replay_trim_every_s: fixed("replays", 600, "seconds between two trims of replays"),
} as const;
