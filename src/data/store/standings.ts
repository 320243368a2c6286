// Daily standings: places at the start of a day.

import type { BotId, LadderId, SeasonId } from "#core/ids/ids.ts";

import { reads, writes } from "./method.ts";

export type DailyPlaces = {
  ladderId: LadderId;
  /** Season of the standings; null on a ladder without seasons. */
  season: SeasonId | null;
  /** A UTC date, `YYYY-MM-DD`. */
  day: string;
  /** UTC instant. */
  notedAt: string;
  /** By rank, best first. */
  botIds: readonly BotId[];
};

export const STANDINGS = {
  /**
   * Records a ladder's places of a day, once. Deletes days before `since`, and later days recorded
   * while the clock was ahead. False if nothing changed.
   */
  record: writes<(places: DailyPlaces, since: string) => Promise<boolean>>(
    (isChanged, { ladderId }) => (isChanged === false ? [] : [`places:${ladderId}`]),
  ),
  /** Places of the latest day; null if none are recorded. */
  latest: reads<(ladderId: LadderId) => Promise<DailyPlaces | null>>((_, ladderId) => [
    `places:${ladderId}`,
  ]),
};
