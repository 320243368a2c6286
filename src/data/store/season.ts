// Seasons of public: months, and the preseason before them. See #core/ladder/season.ts.

import type { BotId, SeasonId } from "#core/ids/ids.ts";
import type { FinalRank } from "#core/ladder/standings.ts";

import type { BotRecord } from "./bot.ts";
import { reads, writes } from "./method.ts";

export type SeasonRecord = {
  id: SeasonId;
  opensAt: string;
  closesAt: string;
  /** When the final standings were written; null until then. */
  archivedAt: string | null;
};

/** A final place as of the archiving of the season; rating and deviation are unrounded. */
export type FinalStanding = FinalRank;

/** The same with the current names of bot and owner. */
export type NamedStanding = FinalStanding & Pick<BotRecord, "ownerId" | "ownerBanned">;

export type SeasonPlace = FinalStanding & { season: SeasonId };

type ArchiveSeason = (
  id: SeasonId,
  archivedAt: string,
  places: FinalStanding[],
) => Promise<boolean>;

export const SEASONS = {
  /** Newest first, preseason last. A new database has its first month open. */
  list: reads<() => Promise<SeasonRecord[]>>(() => ["seasons"]),
  /** Adds seasons and leaves existing ones unchanged. False if all of them exist. */
  open: writes<(seasons: readonly SeasonRecord[]) => Promise<boolean>>((isNew) =>
    isNew === false ? [] : ["seasons"],
  ),
  /**
   * Writes the final standings and marks the season archived, in one transaction. Returns false,
   * changing nothing, if it is already archived.
   */
  archive: writes<ArchiveSeason>((isNew) => (isNew === false ? [] : ["seasons"])),
  /** By rank; empty for a season that isn't archived. */
  standings: reads<(season: SeasonId) => Promise<NamedStanding[]>>(() => ["seasons", "facts"]),
  /** Winner of each archived season of public that has one, newest season first. */
  champions: reads<() => Promise<SeasonPlace[]>>(() => ["seasons"]),
  /** A bot's final places, newest season first. */
  placesOf: reads<(botId: BotId) => Promise<SeasonPlace[]>>(() => ["seasons"]),
};
