import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";

import { reads, writes } from "./store-method.ts";

export type VersionRecord = {
  id: VersionId;
  botId: BotId;
  label: string;
  notes: string;
  created: string;
  retired: boolean;
};

export type VersionEntry = Omit<VersionRecord, "notes">;

export type AddVersionOutcome =
  | { outcome: "added" | "exists"; version: VersionRecord }
  /** `notes_limit`: the account has reached `version_notes_bytes_per_day`. */
  | { outcome: "notes_limit" }
  | { outcome: "limit" };
export type RetireOutcome = { outcome: "retired" | "was_retired"; version: VersionRecord };

export type VersionPage = { before?: string | undefined; limit: number };

/** Allows at most `count` new versions of a bot since an instant. */
export type VersionDailyLimit = { count: number; since: string };

export const VERSION_METHODS = {
  add: writes<
    (version: VersionRecord, dailyLimit: VersionDailyLimit | null) => Promise<AddVersionOutcome>
  >((outcome, { botId }) =>
    outcome === undefined || outcome.outcome === "added" ? ["versions", `versions:${botId}`] : [],
  ),
  /** Returns null if the bot has no such version. */
  retire: writes<(botId: BotId, label: string) => Promise<RetireOutcome | null>>((outcome, botId) =>
    outcome === undefined || outcome?.outcome === "retired" ? ["retired", `versions:${botId}`] : [],
  ),
  /** Returns null if the bot has no such version. */
  byLabel: reads<(botId: BotId, label: string) => Promise<VersionRecord | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /** Returns versions in any order. Omits unknown IDs. */
  byIds: reads<(ids: readonly VersionId[]) => Promise<VersionEntry[]>>((versions, ids) =>
    versions.length < ids.length ? ["retired", "versions"] : ["retired"],
  ),
  /** Returns a bot's versions, newest first. Returns null if `before` isn't a label of the bot. */
  list: reads<(botId: BotId, page: VersionPage) => Promise<VersionRecord[] | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /**
   * Returns up to `limit` versions of a bot, oldest first. Versions in `included` take precedence,
   * then the versions most recently created or, within the bot's latest few thousand matches, most
   * recently played. `total` counts all versions.
   */
  latest: reads<
    (
      botId: BotId,
      limit: number,
      included: readonly VersionId[],
    ) => Promise<{ versions: VersionRecord[]; total: number }>
  >((_, botId) => [`versions:${botId}`, `played:${botId}`]),
  /**
   * Returns the version that represents a bot on a ladder: the one that last played a rated game
   * there in any season, otherwise the newest. Ignores retired versions. Returns null if no version
   * remains.
   */
  current: reads<(botId: BotId, ladderId: LadderId) => Promise<VersionRecord | null>>(
    (_, botId) => [`versions:${botId}`, `played:${botId}`],
  ),
};
