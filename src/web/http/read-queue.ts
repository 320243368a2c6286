// Large reads take turns. Answers of the store that arrive together are processed in one go, and
// nothing else happens meanwhile: fifty of the largest would stop every match for half a second.

import { AsyncLocalStorage } from "node:async_hooks";

import type { ScaleOf } from "#base/token-bucket/token-bucket.ts";
import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

export type Gate = <T>(job: () => Promise<T>) => Promise<T>;

/** How many small reads may be under way at once. Only one large read may. */
const SMALL_AT_ONCE = 16;
/**
 * A list this short, without statistics, is a small read. Longer lists are read in portions of
 * this.
 */
const SMALL_LIST = 50;

/** After a large read, the next one waits as long again: half of the time is left for others. */
const LARGE_REST = 1;

/**
 * Runs at most `width` jobs at once. The next one starts when the last is done and its result used,
 * after a rest of `rest` times as long as it took.
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
      // The caller still uses the result in this turn of the event loop.
      if (restMs < 1) setImmediate(leave);
      else setTimeout(leave, restMs).unref();
    }
  };
}

/** A job was refused, because too many of its caller wait already. */
export class Crowded extends Error {
  constructor() {
    super("too many jobs of one caller wait");
  }
}

/** Null for jobs from inside the process. */
type Caller = string | null;
type Turns = {
  take<T>(caller: Caller, job: () => Promise<T>): Promise<T>;
  /** Throws `Crowded` if no further job of a caller may wait. */
  assureRoom(caller: Caller): void;
};

/**
 * Runs one job at a time, those of different callers by turns. Of each caller `most`, times its
 * scale, may wait, of null any number; a further one rejects with `Crowded`.
 */
export function openTurns(most: number, scaleOf: ScaleOf = () => 1): Turns {
  const waiting = new Map<Caller, (() => void)[]>();
  let isRunning = false;
  const leave = () => {
    const [next] = waiting;
    isRunning = next !== undefined;
    if (next === undefined) return;
    const [caller, own] = next;
    const start = own.shift();
    // Behind all others that wait.
    waiting.delete(caller);
    if (own.length > 0) waiting.set(caller, own);
    start?.();
  };
  const assureRoom = (caller: Caller) => {
    const own = waiting.get(caller)?.length ?? 0;
    if (caller !== null && own >= most * scaleOf(caller)) throw new Crowded();
  };
  const turn = (caller: Caller) =>
    new Promise<void>((start) => waiting.getOrInsertComputed(caller, () => []).push(start));
  const take: Turns["take"] = async (caller, job) => {
    assureRoom(caller);
    if (isRunning) await turn(caller);
    isRunning = true;
    try {
      return await job();
    } finally {
      setImmediate(leave);
    }
  };
  return { take, assureRoom };
}

/** Requests answered in one turn of the event loop, after the frames of bots in it. */
const REQUESTS_A_TURN = 16;

/**
 * Runs jobs in order, `perTurn` in a turn of the event loop, each in a later turn than it arrived
 * in and in its own asynchronous context.
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

/** The same store for readers that can wait. The arena's reads do not pass through here. */
export function takeTurns(store: Store): Store {
  const [small, large] = [openGate(SMALL_AT_ONCE), openGate(1, LARGE_REST)];
  const isLarge = ({ limit, withStats }: MatchQuery) => withStats || limit > SMALL_LIST;
  const { bots, versions, matches, figures, replays, seasons, ladders, standings } = store;
  return {
    ...store,
    bots: {
      ...bots,
      byName: (name) => small(() => bots.byName(name)),
      byIds: (ids) => small(() => bots.byIds(ids)),
      search: (text, most) => small(() => bots.search(text, most)),
    },
    versions: {
      ...versions,
      byLabel: (botId, label) => small(() => versions.byLabel(botId, label)),
      byIds: (ids) => small(() => versions.byIds(ids)),
      list: (botId, page) => small(() => versions.list(botId, page)),
      latest: (...query) => small(() => versions.latest(...query)),
      current: (botId, ladderId) => small(() => versions.current(botId, ladderId)),
    },
    matches: {
      ...matches,
      list: (query) =>
        isLarge(query)
          ? inPortions(query, (portion) => large(() => matches.list(portion)))
          : small(() => matches.list(query)),
      byId: (id) => small(() => matches.byId(id)),
      stats: (id) => small(() => matches.stats(id)),
    },
    figures: {
      ...figures,
      turns: (ids, window) => small(() => figures.turns(ids, window)),
      opponents: (...query) => small(() => figures.opponents(...query)),
      maps: (query) => small(() => figures.maps(query)),
      recentOpponents: (query) => small(() => figures.recentOpponents(query)),
      losses: (query) => large(() => figures.losses(query)),
      play: (of, botId) => small(() => figures.play(of, botId)),
      competition: (of, rivalries) => large(() => figures.competition(of, rivalries)),
      ladder: (query) => large(() => figures.ladder(query)),
      analytics: (query) => large(() => figures.analytics(query)),
      ratings: (query) => large(() => figures.ratings(query)),
    },
    replays: { ...replays, has: (id) => small(() => replays.has(id)) },
    seasons: {
      ...seasons,
      standings: (season) => large(() => seasons.standings(season)),
      champions: () => small(() => seasons.champions()),
    },
    ladders: { ...ladders, standings: (id) => large(() => ladders.standings(id)) },
    standings: { ...standings, latest: (ladderId) => small(() => standings.latest(ladderId)) },
  };
}

type Matches = Awaited<ReturnType<Store["matches"]["list"]>>;

/**
 * Others may read between two portions. Each is the part of the list, newest first, that lies next
 * to what was found: older matches, or newer ones where those after a match are asked for.
 */
async function inPortions(
  query: MatchQuery,
  read: (portion: MatchQuery) => Promise<Matches>,
): Promise<Matches> {
  const isUpwards = query.before === undefined && query.after !== undefined;
  let found: NonNullable<Matches> = [];
  for (let place = query; found.length < query.limit;) {
    const limit = Math.min(SMALL_LIST, query.limit - found.length);
    const portion = await read({ ...place, limit });
    if (portion === null) return null;
    found = isUpwards ? [...portion, ...found] : [...found, ...portion];
    if (portion.length < limit) break;
    const next = isUpwards ? { after: found[0]?.id } : { before: found.at(-1)?.id };
    place = { ...query, ...next };
  }
  return found;
}
