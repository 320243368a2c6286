// Seasons of public: months, and the preseason before them; see #core/ladder/season.ts.

import type { FinalPlace } from "#core/ladder/standings.ts";
import type { BotId, SeasonId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

export type SeasonRecord = {
  id: SeasonId;
  opensAt: string;
  closesAt: string;
  /** When its standings were written; null until then. */
  archivedAt: string | null;
};

/** A final place, all as it was when the season was archived; rating and deviation unrounded. */
export type FinalStanding = FinalPlace;

export type SeasonPlace = FinalStanding & { season: SeasonId };

type Archive = (id: SeasonId, archivedAt: string, places: FinalStanding[]) => Promise<boolean>;

export const SEASONS = {
  /** Newest first, preseason last. A database is made with its first month open. */
  list: reads<() => Promise<SeasonRecord[]>>(() => ["seasons"]),
  /** Adds seasons; one that exists is left as it is. False when all of them do. */
  open: writes<(seasons: readonly SeasonRecord[]) => Promise<boolean>>((isNew) =>
    isNew === false ? [] : ["seasons"],
  ),
  /**
   * Writes the final standings and marks the season archived, in one transaction. An archived
   * season is left as it is: false then.
   */
  archive: writes<Archive>((isNew) => (isNew === false ? [] : ["seasons"])),
  /** By rank; empty for a season that is not archived. */
  standings: reads<(season: SeasonId) => Promise<FinalStanding[]>>(() => ["seasons"]),
  /** A bot's final places, newest season first. */
  placesOf: reads<(botId: BotId) => Promise<SeasonPlace[]>>(() => ["seasons"]),
};
