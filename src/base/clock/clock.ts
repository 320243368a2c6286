// The only place where the process reads a clock, sets a timer or draws a random number.

import { randomBytes, randomUUIDv7 } from "node:crypto";
import { performance } from "node:perf_hooks";

/** The process's view of time. Tests and the simulation bring their own. */
export type Clock = {
  /** Monotonic, whole microseconds. */
  now(): number;
  wall(): Date;
  /** Calls back once after `ms` milliseconds. The returned function cancels it. */
  after(ms: number, call: () => void): () => void;
};

/**
 * The longest that setTimeout accepts, in milliseconds. A longer wait wakes early and waits again.
 */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Math.round(performance.now() * 1000),
  wall: () => new Date(),
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** A seed for a match, 0 to 2^32 - 1. */
export function newSeed(): number {
  return randomBytes(4).readUInt32LE();
}

/** A UUIDv7 (RFC 9562). Those of one millisecond are in no order, and nothing relies on one. */
export const newId = (): string => randomUUIDv7();
