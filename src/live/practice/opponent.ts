// Starter, as practice games know it.

import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { LentSession } from "#live/play/rival.ts";

export type PracticeOpponent = {
  /** As stored now: its status may change. */
  bot: BotRecord;
  readonly version: VersionRecord;
  /** A session for one game; null while there is none, which does not last. */
  lend(): LentSession | null;
};
