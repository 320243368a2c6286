// A clock that only the test moves: timers run in their order, at the moment they are due.

import type { Clock } from "#arena/deps.ts";

export type FakeClock = Clock & {
  /** Lets so many milliseconds pass; what falls due meanwhile is called in its order. */
  pass(ms: number): void;
  /** The process stands still: the time is over before anything that was due is called. */
  stall(ms: number): void;
  /** The wall clock is set on, or back; monotonic time and timers do not notice. */
  setWall(iso: string): void;
  /** Timers that are armed. */
  armed(): number;
};

type Timer = { due: number; call: () => void };

const START_MS = Date.UTC(2026, 0, 5, 12);

export function fakeClock(): FakeClock {
  const timers = new Set<Timer>();
  let now = 0;
  let startMs = START_MS;

  function earliest(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of timers)
      if (timer.due <= end && (first === null || timer.due < first.due)) first = timer;
    return first;
  }

  function runUntil(end: number): void {
    for (let timer = earliest(end); timer !== null; timer = earliest(end)) {
      timers.delete(timer);
      now = Math.max(now, timer.due);
      timer.call();
    }
    now = Math.max(now, end);
  }

  return {
    now: () => now,
    wall: () => new Date(startMs + now / 1000),
    after: (ms, call) => {
      const timer = { due: now + Math.round(ms * 1000), call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass: (ms) => runUntil(now + Math.round(ms * 1000)),
    stall: (ms) => {
      now += Math.round(ms * 1000);
      runUntil(now);
    },
    setWall: (iso) => {
      startMs = Date.parse(iso) - now / 1000;
    },
    armed: () => timers.size,
  };
}
