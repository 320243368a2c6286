// Keeps a provider that is down from being asked again and again.

import type { Clock } from "#base/clock/clock.ts";
import { MILLISECOND, SECOND } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import { AuthUnavailable } from "./provider.ts";

const { provider_call_ms: CALL_MS, provider_failures: FAILURES } = FIXED;
const STALL = FIXED.stall_ms * MILLISECOND;
const PAUSE = FIXED.provider_pause_s * SECOND;

export type Breaker = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Called when a call fails after one that worked, and with null when one works again. */
export type OnReach = (failure: unknown) => void;

/**
 * Runs calls that reject when the provider failed. Each ends in time, as AuthUnavailable if it has
 * to. During a pause none begins; the first one after it decides whether another pause follows.
 */
export function openBreaker(
  clock: Pick<Clock, "now" | "after">,
  onReach: OnReach = () => {},
): Breaker {
  let failures = 0;
  let until = -Infinity;
  return async (call) => {
    if (clock.now() < until) throw new AuthUnavailable("the provider failed a moment ago");
    try {
      const result = await inTime(clock, call);
      if (failures > 0) onReach(null);
      failures = 0;
      return result;
    } catch (error) {
      if (failures === 0) onReach(error);
      failures += 1;
      if (failures >= FAILURES) until = clock.now() + PAUSE;
      throw error instanceof AuthUnavailable ? error : unavailable(error);
    }
  };
}

const unavailable = (cause: unknown) => new AuthUnavailable("the provider failed", { cause });

async function inTime<T>(
  clock: Pick<Clock, "now" | "after">,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  let cancel = () => {};
  function wait(): void {
    const due = clock.now() + CALL_MS * MILLISECOND;
    cancel = clock.after(CALL_MS, () => {
      // After a stall of our own the answer may be here, unread: the time starts again.
      if (clock.now() - due > STALL) return wait();
      reject(new AuthUnavailable(`the provider took more than ${CALL_MS} ms`));
      abort.abort();
    });
  }
  wait();
  try {
    return await Promise.race([call(abort.signal), late]);
  } finally {
    cancel();
  }
}
