// Daily standings: the places at the start of a UTC day.

import type { BotId, LadderId, SeasonId } from "#core/ids/ids.ts";

import { reads, writes } from "./store-method.ts";

export type DailyPlaces = {
  ladderId: LadderId;
  /** Null on a ladder without seasons. */
  season: SeasonId | null;
  /** UTC date, `YYYY-MM-DD`. */
  day: string;
  notedAt: string;
  /** By rank, best first. */
  botIds: readonly BotId[];
};

export const STANDINGS = {
  /**
   * Records a ladder's places, once per day. Deletes days before `since`, and later days, which can
   * exist if the clock was ahead. Returns false if nothing changed.
   */
  record: writes<(places: DailyPlaces, since: string) => Promise<boolean>>(
    (isChanged, { ladderId }) => (isChanged === false ? [] : [`places:${ladderId}`]),
  ),
  latest: reads<(ladderId: LadderId) => Promise<DailyPlaces | null>>((_, ladderId) => [
    `places:${ladderId}`,
  ]),
};
