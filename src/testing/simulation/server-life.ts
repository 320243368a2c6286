// One life of the server process: the real arena on virtual time, between a start and a kill. What
// it is given of the world stops answering once it is dead.

import type { Clock } from "#base/clock/clock.ts";
import type { LiveEvents } from "#core/events/events.ts";
import type { Store } from "#data/store/store.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import type { LiveAwards } from "#live/awards/awards.ts";
import { openHealth } from "#live/health/health.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { VERSIONS } from "#testing/fixtures/versions.ts";

import { seldomRead } from "./held-page.ts";
import type { Timeline } from "./timeline.ts";

export type Life = {
  readonly arena: Arena;
  /** The matchmaker that the arena asks. */
  readonly matchmaker: Matchmaker;
  /** As the server reaches it. */
  readonly store: Store;
  readonly events: LiveEvents;
  readonly awards: LiveAwards;
  /** What else the server's parts are given. */
  readonly deps: Pick<ArenaDeps, "clock" | "log" | "health" | "ladders" | "isEventOpen">;
  /** Runs one change of ladders and members at a time, as the routes do. */
  inTurn<T>(job: () => Promise<T>): Promise<T>;
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  /** The process is gone, with everything it had not stored. */
  kill(): void;
};

/** What the world gives to a life. Many of these must know when the life is dead. */
export type LifeDeps = Omit<
  ArenaDeps,
  "clock" | "health" | "versions" | "credentials" | "mayPlay"
> &
  Pick<Life, "events" | "awards">;

/** All health notes fall into one second, since nobody reads them here. */
const FROZEN = { now: () => 0 };

/** The arena's heartbeat, which leaves nothing behind that must be awaited. */
const BEAT_MS = 100;

/** `bootedAt` in µs: the monotonic clock of each process starts again. */
export async function openLife(
  timeline: Timeline,
  depsOf: (isAlive: () => boolean, clock: Clock) => Promise<LifeDeps>,
): Promise<Life> {
  let alive = true;
  const gone = Promise.withResolvers<void>();
  const isAlive = () => alive;
  const clock = clockOf(timeline, isAlive);
  const given = await depsOf(isAlive, clock);
  const { matchmaker, store, events, awards } = given;
  const deps: ArenaDeps = {
    ...given,
    matchmaker: seldomRead(timeline, matchmaker),
    clock,
    health: openHealth(FROZEN),
    versions: VERSIONS,
    credentials: store.bots,
    mayPlay: () => null,
  };
  const arena = await openArena(deps);
  return {
    arena,
    matchmaker,
    store,
    events,
    awards,
    deps,
    inTurn: takeTurns(),
    gone: gone.promise,
    kill: () => {
      alive = false;
      gone.resolve();
    },
  };
}

function takeTurns(): Life["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = last.then(job, job);
    last = done.catch(() => {});
    return done;
  };
}

function clockOf(timeline: Timeline, isAlive: () => boolean): Clock {
  const bootedAt = timeline.now();
  return {
    now: () => timeline.now() - bootedAt,
    wall: () => timeline.wall(),
    after: (ms, call) => {
      const callAlive = () => {
        if (isAlive()) call();
      };
      return timeline.after(ms, callAlive, ms === BEAT_MS);
    },
  };
}
