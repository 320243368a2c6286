// Versions of bots.

import type { BotId, LadderId, VersionId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

export type VersionRecord = {
  id: VersionId;
  botId: BotId;
  label: string;
  notes: string;
  created: string;
  retired: boolean;
};

/** The entries of long lists of versions. */
export type VersionEntry = Omit<VersionRecord, "notes">;

export type AddVersionOutcome =
  | { outcome: "added" | "exists"; version: VersionRecord }
  /** `notes_limit`: `version_notes_bytes_per_day` of an account. */
  | { outcome: "notes_limit" }
  | { outcome: "limit" };
export type RetireOutcome = { outcome: "retired" | "was_retired"; version: VersionRecord };

export type VersionPage = { before?: string | undefined; limit: number };

/** At most `count` new versions of a bot since an instant. */
export type DayLimit = { count: number; since: string };

export const VERSIONS = {
  /** Adds the label unless the bot has it. */
  add: writes<(version: VersionRecord, dayLimit: DayLimit | null) => Promise<AddVersionOutcome>>(
    (added, { botId }) =>
      added === undefined || added.outcome === "added" ? ["versions", `versions:${botId}`] : [],
  ),
  /** Null when the bot has no such version. */
  retire: writes<(botId: BotId, label: string) => Promise<RetireOutcome | null>>((retired, botId) =>
    retired === undefined || retired?.outcome === "retired" ? ["retired", `versions:${botId}`] : [],
  ),
  /** Null when the bot has no such version. */
  byLabel: reads<(botId: BotId, label: string) => Promise<VersionRecord | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /** In no particular order; ids that do not exist are left out. */
  byIds: reads<(ids: readonly VersionId[]) => Promise<VersionEntry[]>>((versions, ids) =>
    versions.length < ids.length ? ["retired", "versions"] : ["retired"],
  ),
  /** A bot's versions, newest first. Null when `before` is not a label of the bot. */
  list: reads<(botId: BotId, page: VersionPage) => Promise<VersionRecord[] | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /**
   * The `most` versions of a bot that were made or played last, by its latest few thousand matches,
   * including those in `always`. Oldest first, with the number of all versions.
   */
  latest: reads<
    (
      botId: BotId,
      most: number,
      always: readonly VersionId[],
    ) => Promise<{ versions: VersionRecord[]; total: number }>
  >((_, botId) => [`versions:${botId}`, `played:${botId}`]),
  /**
   * The version that stands for a bot on a ladder, retired ones aside: the one that last played a
   * rated game there in any season, else the newest. Null when there is none.
   */
  current: reads<(botId: BotId, ladderId: LadderId) => Promise<VersionRecord | null>>(
    (_, botId) => [`versions:${botId}`, `played:${botId}`],
  ),
};
