// A single server process: the real arena on virtual time, from startup until it is killed. Once it
// is dead, its dependencies stop responding.

import type { Clock } from "#base/clock/clock.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { Store } from "#data/store/store.ts";
import type { ArenaDeps } from "#live/arena/arena-deps.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { LiveAwards } from "#live/awards/awards.ts";
import { openHealth } from "#live/health/health.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { ENGINE_VERSIONS } from "#testing/fixtures/versions.ts";

import { withCachedBoard } from "./cached-board.ts";
import type { Timeline } from "./timeline.ts";

export type SimulatedServer = {
  readonly arena: Arena;
  readonly matchmaker: Matchmaker;
  readonly store: Store;
  readonly events: LiveEvents;
  readonly awards: LiveAwards;
  readonly deps: Pick<ArenaDeps, "clock" | "log" | "health" | "ladders" | "isEventOpen">;
  /** Serializes changes to ladders and members, as the HTTP routes do. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>;
  readonly exited: Promise<void>;
  /** The process exits and loses everything it hasn't stored. */
  kill(): void;
};

/** Most dependencies need to know when the process is dead. */
export type SimulatedServerDeps = Omit<
  ArenaDeps,
  "clock" | "health" | "versions" | "credentials" | "playRefusalOf"
> &
  Pick<SimulatedServer, "events" | "awards">;

/** Freezes the time of health reports, which the simulation doesn't read. */
const FROZEN_CLOCK = { now: () => 0 };

/** Interval of the arena's heartbeat, which starts no promises. */
const HEARTBEAT_MS = 100;

/** Each process gets a new monotonic clock. `bootedAt` is in µs. */
export async function startSimulatedServer(
  timeline: Timeline,
  createDeps: (isAlive: () => boolean, clock: Clock) => Promise<SimulatedServerDeps>,
): Promise<SimulatedServer> {
  let alive = true;
  const exited = Promise.withResolvers<void>();
  const isAlive = () => alive;
  const clock = createServerClock(timeline, isAlive);
  const serverDeps = await createDeps(isAlive, clock);
  const { matchmaker, store, events, awards } = serverDeps;
  const deps: ArenaDeps = {
    ...serverDeps,
    matchmaker: withCachedBoard(timeline, matchmaker),
    clock,
    health: openHealth(FROZEN_CLOCK),
    versions: ENGINE_VERSIONS,
    credentials: store.bots,
    playRefusalOf: () => null,
  };
  const arena = await openArena(deps);
  return {
    arena,
    matchmaker,
    store,
    events,
    awards,
    deps,
    runExclusive: createExclusiveRunner(),
    exited: exited.promise,
    kill: () => {
      alive = false;
      exited.resolve();
    },
  };
}

function createExclusiveRunner(): SimulatedServer["runExclusive"] {
  let lastJob: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = lastJob.then(job, job);
    lastJob = done.catch(() => {});
    return done;
  };
}

function createServerClock(timeline: Timeline, isAlive: () => boolean): Clock {
  const bootedAt = timeline.now();
  return {
    now: () => timeline.now() - bootedAt,
    wall: () => timeline.wall(),
    after: (ms, callback) => {
      const callIfAlive = () => {
        if (isAlive()) callback();
      };
      return timeline.after(ms, callIfAlive, ms === HEARTBEAT_MS);
    },
  };
}
