// The only module that reads a clock, sets a timer or draws a random number.

import { randomBytes, randomUUIDv7 } from "node:crypto";
import { performance } from "node:perf_hooks";

/** The process's source of time. Tests and simulations pass their own. */
export type Clock = {
  /** Monotonic, whole microseconds. */
  now(): number;
  wall(): Date;
  /** Calls back once after `ms` milliseconds. The returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
};

/** The maximum delay of setTimeout in milliseconds. Longer waits are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Math.round(performance.now() * 1000),
  wall: () => new Date(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** A seed for a match, 0 to 2^32 - 1. */
export function newSeed(): number {
  return randomBytes(4).readUInt32LE();
}

/**
 * A UUIDv7 (RFC 9562). Ids of the same millisecond are unordered, and nothing relies on their
 * order.
 */
export const newId = (): string => randomUUIDv7();
