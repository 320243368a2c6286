// Large reads take turns. Answers of the store that arrive together are worked on in one go, and
// nothing else happens meanwhile: fifty of the largest would stop every match for half a second.

import type { MatchQuery, Store } from "#store/store.ts";

export type Gate = <T>(job: () => Promise<T>) => Promise<T>;

/** How many small reads may be under way at once; of large ones, one. */
const SMALL_AT_ONCE = 16;
/** Matches without statistics of which a list counts as small. */
const SMALL_LIST = 50;

/** Lets so many jobs run at once. The next one starts when the last is done with and used. */
export function openGate(width: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (job) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await job();
    } finally {
      // Whoever waits for the job works with its result in this turn of the event loop.
      setImmediate(leave);
    }
  };
}

/** The same store for readers who can wait; what the arena asks for does not pass here. */
export function takeTurns(store: Store): Store {
  const [small, large] = [openGate(SMALL_AT_ONCE), openGate(1)];
  const isLarge = ({ limit, withStats }: MatchQuery) => withStats || limit > SMALL_LIST;
  return {
    ...store,
    matches: (query) => (isLarge(query) ? large : small)(() => store.matches(query)),
    match: (id) => small(() => store.match(id)),
    matchStats: (id) => small(() => store.matchStats(id)),
    hasReplay: (id) => small(() => store.hasReplay(id)),
    turnFigures: (ids, window) => small(() => store.turnFigures(ids, window)),
    versionsOf: (botId) => small(() => store.versionsOf(botId)),
    opponentsOf: (botId, of) => small(() => store.opponentsOf(botId, of)),
    figures: (of, rivalries) => large(() => store.figures(of, rivalries)),
    ratingHistory: (query) => large(() => store.ratingHistory(query)),
    finalStandings: (season) => large(() => store.finalStandings(season)),
  };
}
