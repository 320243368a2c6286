// Caches the matchmaker's board in the simulation, where each read would fit the ratings from
// scratch.

import { MINUTE_US } from "#base/util/time.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BoardPage, Matchmaker } from "#live/matchmaker/matchmaker.ts";

import type { Timeline } from "./timeline.ts";

/**
 * µs. Fitting a board after each game would take a third of a long run, and the board only affects
 * estimated waits.
 */
const PAGE_TTL = 5 * MINUTE_US;

type CachedPage = { competition: Competition; at: number; page: Promise<BoardPage> };

/**
 * Rereads the board when the cache expires, when a game on the cached board is reverted, and while
 * deviations aren't exact.
 */
export function withCachedBoard(
  timeline: Pick<Timeline, "now">,
  matchmaker: Matchmaker,
): Matchmaker {
  let cachedPage: CachedPage | null = null;
  return {
    ...matchmaker,
    board: async (competition) => {
      const at = timeline.now();
      if (cachedPage === null || !isFresh(cachedPage, competition, at))
        cachedPage = { competition, at, page: matchmaker.board(competition) };
      const page = await cachedPage.page;
      if (!page.isExact) cachedPage = null;
      return page;
    },
    unrate: (game) => {
      cachedPage = null;
      return matchmaker.unrate(game);
    },
  };
}

function isFresh(
  { competition, at }: CachedPage,
  requestedCompetition: Competition,
  now: number,
): boolean {
  const { ladderId, season } = competition;
  return (
    requestedCompetition.ladderId === ladderId &&
    requestedCompetition.season === season &&
    now - at < PAGE_TTL
  );
}
