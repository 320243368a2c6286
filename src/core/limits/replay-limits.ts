import { COUNT_SETTING, fixedLimit } from "./limit-row.ts";

export const REPLAY_LIMITS = {
  replays_per_bot: {
    group: "replays",
    default: 200,
    about: "newest replays stored per bot",
    ...COUNT_SETTING,
    applies: "next cleanup",
  },
  archive_days: fixedLimit(
    "replays",
    14,
    "maximum days of a ladder's window for its replays to be stored until they are archived",
  ),
  archive_replays: {
    group: "replays",
    default: 50_000,
    about: "newest replays stored per such ladder",
    ...COUNT_SETTING,
    applies: "next cleanup",
  },
  starred_replays: {
    group: "replays",
    default: 50,
    about: "starred matches per account, whose replays are stored",
    ...COUNT_SETTING,
    applies: "at once",
  },
  embedded_replays: {
    group: "replays",
    default: 1000,
    about: "replays stored for matches embedded by other sites, most recently viewed",
    ...COUNT_SETTING,
    applies: "next cleanup",
  },
  casual_replays: fixedLimit("replays", 1000, "newest replays stored for human and practice games"),
  replay_trim_every_s: fixedLimit("replays", 600, "seconds between two replay cleanups"),
} as const;
