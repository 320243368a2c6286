// One life of the server process: the real arena on virtual time, between a start and a kill. What
// it is given of the world stops answering once it is dead.

import type { Clock } from "#base/clock/clock.ts";
import { openArena } from "#live/arena/arena.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { ArenaDeps } from "#live/arena/deps.ts";
import { openHealth } from "#live/health/health.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import { VERSIONS } from "#testing/fixtures/versions.ts";

import { seldomRead } from "./held-page.ts";
import type { Timeline } from "./timeline.ts";

export type Life = {
  readonly arena: Arena;
  /** The matchmaker that the arena asks. */
  readonly matchmaker: Matchmaker;
  /** What else the server's parts are given. */
  readonly deps: Pick<ArenaDeps, "clock" | "log" | "health" | "ladders">;
  /** The process is gone, with everything it had not stored. */
  kill(): void;
};

/** What the world gives to a life. Many of these must know when the life is dead. */
export type LifeDeps = Omit<ArenaDeps, "clock" | "health" | "versions" | "credentials" | "mayPlay">;

/** All health notes fall into one second, since nobody reads them here. */
const FROZEN = { now: () => 0 };

/** The arena's heartbeat, which leaves nothing behind that must be awaited. */
const BEAT_MS = 100;

/** `bootedAt` in µs: the monotonic clock of each process starts again. */
export async function openLife(
  timeline: Timeline,
  depsOf: (isAlive: () => boolean) => LifeDeps,
): Promise<Life> {
  let alive = true;
  const isAlive = () => alive;
  const clock = clockOf(timeline, isAlive);
  const given = depsOf(isAlive);
  const { matchmaker, store } = given;
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
    deps,
    kill: () => {
      alive = false;
    },
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
