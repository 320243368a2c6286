// Starter, the opponent in practice matches.

import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { AcquiredSession } from "#live/human-match/house-opponent.ts";

export type PracticeOpponent = {
  /** As stored now; its status may change. */
  bot: BotRecord;
  readonly version: VersionRecord;
  /** Acquires a session for one match; null while none is available, which is temporary. */
  acquireSession(): AcquiredSession | null;
};
