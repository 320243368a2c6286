import type { Clock } from "#base/clock/clock.ts";
import { MILLISECOND_US, SECOND_US } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { AuthUnavailable } from "./identity-provider.ts";

const { provider_call_ms: CALL_MS, provider_failures: MAX_FAILURES } = FIXED_LIMITS;
const STALL = FIXED_LIMITS.stall_ms * MILLISECOND_US;
const PAUSE = FIXED_LIMITS.provider_pause_s * SECOND_US;

export type CircuitBreaker = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Called with the error on the first failure after a success, and with null on the first success
 * after a failure.
 */
export type OnReachabilityChange = (failure: unknown) => void;

/**
 * Opens a circuit breaker for calls to the identity provider. Each call has a timeout and rejects
 * with AuthUnavailable on failure. Repeated failures open the breaker, and calls then reject
 * immediately. After the pause, one more failure opens it again.
 */
export function openCircuitBreaker(
  clock: Pick<Clock, "now" | "after">,
  onReachabilityChange: OnReachabilityChange = () => {},
): CircuitBreaker {
  let failures = 0;
  let openUntil = -Infinity;
  return async (call) => {
    if (clock.now() < openUntil) throw new AuthUnavailable("provider failed recently");
    try {
      const result = await withTimeout(clock, call);
      if (failures > 0) onReachabilityChange(null);
      failures = 0;
      return result;
    } catch (error) {
      if (failures === 0) onReachabilityChange(error);
      failures += 1;
      if (failures >= MAX_FAILURES) openUntil = clock.now() + PAUSE;
      throw error instanceof AuthUnavailable ? error : unavailable(error);
    }
  };
}

const unavailable = (cause: unknown) => new AuthUnavailable("provider failed", { cause });

async function withTimeout<T>(
  clock: Pick<Clock, "now" | "after">,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  let cancel = () => {};
  function wait(): void {
    const deadline = clock.now() + CALL_MS * MILLISECOND_US;
    cancel = clock.after(CALL_MS, () => {
      // After an event loop stall, the response may already be in the socket buffer, so the timeout
      // restarts.
      if (clock.now() - deadline > STALL) return wait();
      reject(new AuthUnavailable(`provider took more than ${CALL_MS} ms`));
      abort.abort();
    });
  }
  wait();
  try {
    return await Promise.race([call(abort.signal), timedOut]);
  } finally {
    cancel();
  }
}
