import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { AcquiredSession } from "#live/human-match/house-opponent.ts";

export type PracticeOpponent = {
  /** The current record. Its status can change. */
  bot: BotRecord;
  readonly version: VersionRecord;
  /** Returns a session for one match, or null while the worker is restarting. */
  acquireSession(): AcquiredSession | null;
};
