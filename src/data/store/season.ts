// Seasons of public: months, and the preseason before them. See #core/ladder/season.ts.

import type { FinalPlace } from "#core/ladder/standings.ts";
import type { BotId, SeasonId } from "#core/words/ids.ts";

import type { BotRecord } from "./bot.ts";
import { reads, writes } from "./method.ts";

export type SeasonRecord = {
  id: SeasonId;
  opensAt: string;
  closesAt: string;
  /** When the final standings were written; null until then. */
  archivedAt: string | null;
};

/** A final place as it was when the season was archived; rating and deviation are unrounded. */
export type FinalStanding = FinalPlace;

/** The same as it is read: with the bot's and the owner's present names. */
export type ReadStanding = FinalStanding & Pick<BotRecord, "ownerId" | "ownerBanned">;

export type SeasonPlace = FinalStanding & { season: SeasonId };

type Archive = (id: SeasonId, archivedAt: string, places: FinalStanding[]) => Promise<boolean>;

export const SEASONS = {
  /** Newest first, preseason last. A new database has its first month open. */
  list: reads<() => Promise<SeasonRecord[]>>(() => ["seasons"]),
  /** Adds seasons and leaves existing ones as they are. False when all of them exist. */
  open: writes<(seasons: readonly SeasonRecord[]) => Promise<boolean>>((isNew) =>
    isNew === false ? [] : ["seasons"],
  ),
  /**
   * Writes the final standings and marks the season archived, in one transaction. False when it is
   * archived already; it then stays as it is.
   */
  archive: writes<Archive>((isNew) => (isNew === false ? [] : ["seasons"])),
  /** By rank; empty for a season that is not archived. */
  standings: reads<(season: SeasonId) => Promise<ReadStanding[]>>(() => ["seasons", "facts"]),
  /** The first place of each archived season of public that has one, newest season first. */
  champions: reads<() => Promise<SeasonPlace[]>>(() => ["seasons"]),
  /** A bot's final places, newest season first. */
  placesOf: reads<(botId: BotId) => Promise<SeasonPlace[]>>(() => ["seasons"]),
};
