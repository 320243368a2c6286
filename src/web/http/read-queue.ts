// Queues large reads. Store responses that arrive together are processed in one turn of the event
// loop: 50 of the largest responses would block every match for half a second.

import { AsyncLocalStorage } from "node:async_hooks";

import type { CallerScale } from "#base/token-bucket/token-bucket.ts";
import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

export type Semaphore = <T>(job: () => Promise<T>) => Promise<T>;

/** Maximum number of concurrent small reads. Large reads run one at a time. */
const SMALL_READ_CONCURRENCY = 16;
/**
 * Lists of up to this many rows without statistics are small reads. Longer lists are read in chunks
 * of this size.
 */
const SMALL_LIST_ROWS = 50;

/**
 * Pause after a large read as a multiple of its duration. At 1, half of the time remains for other
 * work.
 */
const LARGE_READ_COOLDOWN = 1;

/**
 * Runs up to `width` jobs concurrently. The next job starts once a job is done and its result has
 * been used, after a pause of `cooldownFactor` times its duration.
 */
export function openSemaphore(width: number, cooldownFactor = 0): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  const release = () => {
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
      const cooldownMs = cooldownFactor * (performance.now() - startMs);
      // The caller uses the result in this turn of the event loop, so the slot is released in a
      // later turn.
      if (cooldownMs < 1) setImmediate(release);
      else setTimeout(release, cooldownMs).unref();
    }
  };
}

export class QueueFullError extends Error {
  constructor() {
    super("too many waiting jobs from one caller");
  }
}

/** Null for jobs from inside the process. */
type Caller = string | null;
type CallerQueue = {
  run<T>(caller: Caller, job: () => Promise<T>): Promise<T>;
  assertCapacity(caller: Caller): void;
};

/**
 * Runs one job at a time and alternates between callers. Each caller may queue `maxWaiting` jobs
 * times its scale; the null caller has no limit. Further jobs reject with `QueueFullError`.
 */
export function openCallerQueue(maxWaiting: number, scaleOf: CallerScale = () => 1): CallerQueue {
  const waiting = new Map<Caller, (() => void)[]>();
  let isRunning = false;
  const release = () => {
    const [next] = waiting;
    isRunning = next !== undefined;
    if (next === undefined) return;
    const [caller, callerJobs] = next;
    const start = callerJobs.shift();
    // Deleting and re-adding moves the caller to the end.
    waiting.delete(caller);
    if (callerJobs.length > 0) waiting.set(caller, callerJobs);
    start?.();
  };
  const assertCapacity = (caller: Caller) => {
    const callerJobs = waiting.get(caller)?.length ?? 0;
    if (caller !== null && callerJobs >= maxWaiting * scaleOf(caller)) throw new QueueFullError();
  };
  const waitForTurn = (caller: Caller) =>
    new Promise<void>((start) => waiting.getOrInsertComputed(caller, () => []).push(start));
  const run: CallerQueue["run"] = async (caller, job) => {
    assertCapacity(caller);
    if (isRunning) await waitForTurn(caller);
    isRunning = true;
    try {
      return await job();
    } finally {
      setImmediate(release);
    }
  };
  return { run, assertCapacity };
}

/** Requests handled per turn of the event loop, after the bots' frames. */
const REQUESTS_PER_BATCH = 16;

/**
 * Runs jobs in order, up to `batchSize` per turn of the event loop. A job never runs in the turn in
 * which it arrived, and keeps its own async context.
 */
export function openRequestQueue(batchSize = REQUESTS_PER_BATCH): (job: () => void) => void {
  let waiting: (() => void)[] = [];
  const runBatch = () => {
    const jobs = waiting.slice(0, batchSize);
    waiting = waiting.slice(batchSize);
    if (waiting.length > 0) setImmediate(runBatch);
    for (const job of jobs) job();
  };
  return (job) => {
    waiting.push(AsyncLocalStorage.bind(job));
    if (waiting.length === 1) setImmediate(runBatch);
  };
}

/** Wraps the store for readers that can wait. The arena reads without this queue. */
export function withReadQueue(store: Store): Store {
  const [small, large] = [
    openSemaphore(SMALL_READ_CONCURRENCY),
    openSemaphore(1, LARGE_READ_COOLDOWN),
  ];
  const isLarge = ({ limit, withStats }: MatchQuery) => withStats || limit > SMALL_LIST_ROWS;
  const { bots, versions, matches, stats, replays, seasons, ladders, standings } = store;
  return {
    ...store,
    bots: {
      ...bots,
      byName: (name) => small(() => bots.byName(name)),
      byIds: (ids) => small(() => bots.byIds(ids)),
      search: (text, limit) => small(() => bots.search(text, limit)),
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
          ? listInChunks(query, (chunk) => large(() => matches.list(chunk)))
          : small(() => matches.list(query)),
      byId: (id) => small(() => matches.byId(id)),
      stats: (id) => small(() => matches.stats(id)),
    },
    stats: {
      ...stats,
      turns: (ids, window) => small(() => stats.turns(ids, window)),
      opponents: (...query) => small(() => stats.opponents(...query)),
      maps: (query) => small(() => stats.maps(query)),
      recentOpponents: (query) => small(() => stats.recentOpponents(query)),
      losses: (query) => large(() => stats.losses(query)),
      play: (competition, botId) => small(() => stats.play(competition, botId)),
      competition: (competition, rivalries) =>
        large(() => stats.competition(competition, rivalries)),
      ladder: (query) => large(() => stats.ladder(query)),
      analytics: (query) => large(() => stats.analytics(query)),
      ratings: (query) => large(() => stats.ratings(query)),
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
 * Reads a list in chunks, so that other reads can run in between. Each chunk continues from the
 * previous one: older matches, or newer matches for an `after` query.
 */
async function listInChunks(
  query: MatchQuery,
  read: (chunk: MatchQuery) => Promise<Matches>,
): Promise<Matches> {
  const isAscending = query.before === undefined && query.after !== undefined;
  let result: NonNullable<Matches> = [];
  for (let cursor = query; result.length < query.limit;) {
    const limit = Math.min(SMALL_LIST_ROWS, query.limit - result.length);
    const chunk = await read({ ...cursor, limit });
    if (chunk === null) return null;
    result = isAscending ? [...chunk, ...result] : [...result, ...chunk];
    if (chunk.length < limit) break;
    const next = isAscending ? { after: result[0]?.id } : { before: result.at(-1)?.id };
    cursor = { ...query, ...next };
  }
  return result;
}
