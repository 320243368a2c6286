// Seasons of the public ladder: calendar months, and the preseason before the first month. See
// #core/ladder/season.ts.

import type { BotId, SeasonId } from "#core/ids/ids.ts";
import type { FinalRank } from "#core/ladder/standings.ts";

import type { BotRecord } from "./bot.ts";
import { reads, writes } from "./store-method.ts";

export type SeasonRecord = {
  id: SeasonId;
  opensAt: string;
  closesAt: string;
  /** When the final standings were written. Null until then. */
  archivedAt: string | null;
};

/** Final place when the season was archived. Rating and deviation are unrounded. */
export type FinalStanding = FinalRank;

export type NamedStanding = FinalStanding & Pick<BotRecord, "ownerId" | "ownerBanned">;

export type SeasonPlace = FinalStanding & { season: SeasonId };

type ArchiveSeason = (
  id: SeasonId,
  archivedAt: string,
  places: FinalStanding[],
) => Promise<boolean>;

export const SEASONS = {
  /** Returns seasons newest first, preseason last. In a new database, the first month is open. */
  list: reads<() => Promise<SeasonRecord[]>>(() => ["seasons"]),
  /**
   * Adds new seasons and leaves existing ones unchanged. Returns false if all of them already
   * exist.
   */
  open: writes<(seasons: readonly SeasonRecord[]) => Promise<boolean>>((isNew) =>
    isNew === false ? [] : ["seasons"],
  ),
  /**
   * Writes the final standings and marks the season as archived, in one transaction. Returns false,
   * without changes, if it is already archived.
   */
  archive: writes<ArchiveSeason>((isNew) => (isNew === false ? [] : ["seasons"])),
  /** Returns the final standings by rank, or an empty list if the season isn't archived. */
  standings: reads<(season: SeasonId) => Promise<NamedStanding[]>>(() => ["seasons", "facts"]),
  /**
   * Returns the winner of each archived season, newest season first. Omits seasons without a
   * winner.
   */
  champions: reads<() => Promise<SeasonPlace[]>>(() => ["seasons"]),
  placesOf: reads<(botId: BotId) => Promise<SeasonPlace[]>>(() => ["seasons"]),
};
