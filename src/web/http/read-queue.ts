// Large reads take turns. Answers of the store that arrive together are worked on in one go, and
// nothing else happens meanwhile: fifty of the largest would stop every match for half a second.

import { AsyncLocalStorage } from "node:async_hooks";

import type { MatchQuery, Store } from "#data/store/store.ts";

export type Gate = <T>(job: () => Promise<T>) => Promise<T>;

/** How many small reads may be under way at once; of large ones, one. */
const SMALL_AT_ONCE = 16;
/** Matches without statistics of which a list counts as small, and how many are read in one go. */
const SMALL_LIST = 50;

/** After a large read the next one waits as long again: half of the reading time is for others. */
const LARGE_REST = 1;

/**
 * Lets so many jobs run at once. The next one starts when the last is done with and used, and has
 * been followed by a rest `rest` times as long as it took.
 */
export function openGate(width: number, rest = 0): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (job) => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    const startMs = performance.now();
    try {
      return await job();
    } finally {
      const restMs = rest * (performance.now() - startMs);
      // Whoever waits for the job works with its result in this turn of the event loop.
      if (restMs < 1) setImmediate(leave);
      else setTimeout(leave, restMs).unref();
    }
  };
}

/** Requests that are answered in one turn of the event loop, after the frames of bots in it. */
const REQUESTS_A_TURN = 16;

/**
 * Runs jobs in their order, so many in a turn, each later than the turn in which it came and with
 * its own asynchronous context, whatever set the queue going.
 */
export function openQueue(perTurn = REQUESTS_A_TURN): (job: () => void) => void {
  let waiting: (() => void)[] = [];
  const run = () => {
    const jobs = waiting.slice(0, perTurn);
    waiting = waiting.slice(perTurn);
    if (waiting.length > 0) setImmediate(run);
    for (const job of jobs) job();
  };
  return (job) => {
    waiting.push(AsyncLocalStorage.bind(job));
    if (waiting.length === 1) setImmediate(run);
  };
}

/** The same store for readers who can wait; what the arena asks for does not pass here. */
export function takeTurns(store: Store): Store {
  const [small, large] = [openGate(SMALL_AT_ONCE), openGate(1, LARGE_REST)];
  const isLarge = ({ limit, withStats }: MatchQuery) => withStats || limit > SMALL_LIST;
  return {
    ...store,
    matches: (query) =>
      isLarge(query)
        ? inPortions(query, (portion) => large(() => store.matches(portion)))
        : small(() => store.matches(query)),
    match: (id) => small(() => store.match(id)),
    matchStats: (id) => small(() => store.matchStats(id)),
    hasReplay: (id) => small(() => store.hasReplay(id)),
    turnFigures: (ids, window) => small(() => store.turnFigures(ids, window)),
    botByName: (name) => small(() => store.botByName(name)),
    botsById: (ids) => small(() => store.botsById(ids)),
    version: (botId, label) => small(() => store.version(botId, label)),
    versionsById: (ids) => small(() => store.versionsById(ids)),
    versionsOf: (botId, page) => small(() => store.versionsOf(botId, page)),
    latestVersions: (...query) => small(() => store.latestVersions(...query)),
    currentVersion: (botId, ladderId) => small(() => store.currentVersion(botId, ladderId)),
    opponentsOf: (...query) => small(() => store.opponentsOf(...query)),
    figures: (of, rivalries) => large(() => store.figures(of, rivalries)),
    ratingHistory: (query) => large(() => store.ratingHistory(query)),
    finalStandings: (season) => large(() => store.finalStandings(season)),
  };
}

type Matches = Awaited<ReturnType<Store["matches"]>>;

/** Others may read between two portions. */
async function inPortions(
  query: MatchQuery,
  read: (portion: MatchQuery) => Promise<Matches>,
): Promise<Matches> {
  const found: NonNullable<Matches> = [];
  for (let { before } = query; found.length < query.limit; before = found.at(-1)?.id) {
    const limit = Math.min(SMALL_LIST, query.limit - found.length);
    const portion = await read({ ...query, before, limit });
    if (portion === null) return null;
    found.push(...portion);
    if (portion.length < limit) break;
  }
  return found;
}
