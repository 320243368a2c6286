// The matchmaker's board as the simulated arena reads it: seldom, for its ratings are fitted from nothing.

import { MINUTE } from "#base/units/time.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BoardPage, Matchmaker } from "#live/matchmaker/matchmaker.ts";

import type { Timeline } from "./timeline.ts";

/**
 * Virtual µs for which the arena is given the page it had before. Fitting a page from nothing after
 * each game would be a third of the work of a long run, and show in estimated waits alone.
 */
const PAGE_HOLDS = 5 * MINUTE;

type HeldPage = { competition: Competition; at: number; page: Promise<BoardPage> };

/**
 * The matchmaker, but its board is read anew only now and then, or once a game that the held page
 * counts is taken back, or while deviations are not exact yet.
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
