// The judge's board as the simulated arena reads it: seldom, for its ratings are fitted from nothing.

import type { Competition } from "#core/ladder/season.ts";
import type { BoardPage, Judge } from "#live/matchmaker/matchmaker.ts";

import type { Timeline } from "./timeline.ts";

/**
 * Virtual µs for which the arena is given the page it had before. Fitting a page from nothing after
 * each game would be a third of the work of a long run, and show in estimated waits alone.
 */
const PAGE_HOLDS_US = 300e6;

type HeldPage = { competition: Competition; at: number; page: Promise<BoardPage> };

/**
 * The judge whose board is read anew now and then only, or once a game is taken back that the held
 * page may count, or while deviations are still to be made exact.
 */
export function seldomRead(timeline: Pick<Timeline, "now">, judge: Judge): Judge {
  let held: HeldPage | null = null;
  return {
    ...judge,
    board: async (competition) => {
      const at = timeline.now();
      if (held === null || !holds(held, competition, at))
        held = { competition, at, page: judge.board(competition) };
      const page = await held.page;
      if (!page.isExact) held = null;
      return page;
    },
    takeBack: (game) => {
      held = null;
      return judge.takeBack(game);
    },
  };
}

function holds({ competition, at }: HeldPage, asked: Competition, now: number): boolean {
  const { ladderId, season } = competition;
  return asked.ladderId === ladderId && asked.season === season && now - at < PAGE_HOLDS_US;
}
