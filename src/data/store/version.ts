// Versions of bots.

import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";

import { reads, writes } from "./method.ts";

export type VersionRecord = {
  id: VersionId;
  botId: BotId;
  label: string;
  notes: string;
  created: string;
  retired: boolean;
};

/** An entry of a long version list. */
export type VersionEntry = Omit<VersionRecord, "notes">;

export type AddVersionOutcome =
  | { outcome: "added" | "exists"; version: VersionRecord }
  /** `notes_limit`: the account's `version_notes_bytes_per_day` is reached. */
  | { outcome: "notes_limit" }
  | { outcome: "limit" };
export type RetireOutcome = { outcome: "retired" | "was_retired"; version: VersionRecord };

export type VersionPage = { before?: string | undefined; limit: number };

/** Max `count` new versions of a bot since an instant. */
export type VersionDailyLimit = { count: number; since: string };

export const VERSION_METHODS = {
  /** Adds the label unless the bot has it. */
  add: writes<
    (version: VersionRecord, dailyLimit: VersionDailyLimit | null) => Promise<AddVersionOutcome>
  >((outcome, { botId }) =>
    outcome === undefined || outcome.outcome === "added" ? ["versions", `versions:${botId}`] : [],
  ),
  /** Null if the bot has no such version. */
  retire: writes<(botId: BotId, label: string) => Promise<RetireOutcome | null>>((outcome, botId) =>
    outcome === undefined || outcome?.outcome === "retired" ? ["retired", `versions:${botId}`] : [],
  ),
  /** Null if the bot has no such version. */
  byLabel: reads<(botId: BotId, label: string) => Promise<VersionRecord | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /** In any order; unknown IDs are omitted. */
  byIds: reads<(ids: readonly VersionId[]) => Promise<VersionEntry[]>>((versions, ids) =>
    versions.length < ids.length ? ["retired", "versions"] : ["retired"],
  ),
  /** A bot's versions, newest first. Null if `before` isn't a label of the bot. */
  list: reads<(botId: BotId, page: VersionPage) => Promise<VersionRecord[] | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /**
   * The `limit` versions of a bot created or played last, based on its latest few thousand matches,
   * plus those in `included`. Oldest first, with the number of all versions.
   */
  latest: reads<
    (
      botId: BotId,
      limit: number,
      included: readonly VersionId[],
    ) => Promise<{ versions: VersionRecord[]; total: number }>
  >((_, botId) => [`versions:${botId}`, `played:${botId}`]),
  /**
   * The version that represents a bot on a ladder, ignoring retired ones: the one that last played
   * a rated game there in any season, else the newest. Null if there is none.
   */
  current: reads<(botId: BotId, ladderId: LadderId) => Promise<VersionRecord | null>>(
    (_, botId) => [`versions:${botId}`, `played:${botId}`],
  ),
};
