// The matchmaker's board as the simulated arena reads it: rarely, because its ratings are fitted
// from scratch.

import { MINUTE } from "#base/units/time.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BoardPage, Matchmaker } from "#live/matchmaker/matchmaker.ts";

import type { Timeline } from "./timeline.ts";

/**
 * In virtual µs: how long the arena gets the previous page again. Fitting a page from scratch after
 * each game would take a third of a long run, and only show in estimated waits.
 */
const PAGE_HOLDS = 5 * MINUTE;

type HeldPage = { competition: Competition; at: number; page: Promise<BoardPage> };

/**
 * The matchmaker, but its board is only reread now and then, or once a game counted by the held
 * page is taken back, or while deviations are not exact yet.
 */
export function seldomRead(timeline: Pick<Timeline, "now">, matchmaker: Matchmaker): Matchmaker {
  let held: HeldPage | null = null;
  return {
    ...matchmaker,
    board: async (competition) => {
      const at = timeline.now();
      if (held === null || !holds(held, competition, at))
        held = { competition, at, page: matchmaker.board(competition) };
      const page = await held.page;
      if (!page.isExact) held = null;
      return page;
    },
    unrate: (game) => {
      held = null;
      return matchmaker.unrate(game);
    },
  };
}

function holds({ competition, at }: HeldPage, asked: Competition, now: number): boolean {
  const { ladderId, season } = competition;
  return asked.ladderId === ladderId && asked.season === season && now - at < PAGE_HOLDS;
}
