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

/** What lists of many versions are made of. */
export type VersionEntry = Omit<VersionRecord, "notes">;

export type AddVersionOutcome =
  | { outcome: "added" | "exists"; version: VersionRecord }
  | { outcome: "limit" };
export type RetireOutcome = { outcome: "retired" | "was_retired"; version: VersionRecord };

export type VersionPage = { before?: string | undefined; limit: number };

/** At most `count` versions of a bot are made since an instant. */
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
  /** In no order, without those that do not exist. */
  byIds: reads<(ids: readonly VersionId[]) => Promise<VersionEntry[]>>((versions, ids) =>
    versions.length < ids.length ? ["retired", "versions"] : ["retired"],
  ),
  /** A bot's, made last first. Null when `before` is no label of the bot's. */
  list: reads<(botId: BotId, page: VersionPage) => Promise<VersionRecord[] | null>>((_, botId) => [
    `versions:${botId}`,
  ]),
  /**
   * The `most` versions of a bot that were made or played last, by its latest few thousand matches;
   * those with the ids of `always` are among them. Oldest first, with the number of all there are.
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
   * rated game there, whatever the season, else the newest; null when there is none.
   */
  current: reads<(botId: BotId, ladderId: LadderId) => Promise<VersionRecord | null>>(
    (_, botId) => [`versions:${botId}`, `played:${botId}`],
  ),
};
