// Standings as they were noted at the beginning of a day.

import type { BotId, LadderId, SeasonId } from "#core/words/ids.ts";

import { reads, writes } from "./method.ts";

export type NotedPlaces = {
  ladderId: LadderId;
  /** Of the standings; null on a ladder without seasons. */
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
   * Notes a ladder's places of a day once, and forgets those from before `since`; also those of
   * later days, which a clock that was ahead has left. False if the day is noted already.
   */
  note: writes<(places: NotedPlaces, since: string) => Promise<boolean>>((isNew, { ladderId }) =>
    isNew === false ? [] : [`places:${ladderId}`],
  ),
  /** Those of the latest day; null if none are noted. */
  latest: reads<(ladderId: LadderId) => Promise<NotedPlaces | null>>((_, ladderId) => [
    `places:${ladderId}`,
  ]),
};
