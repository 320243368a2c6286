// Detects event loop stalls (suspension, garbage collection, CPU starvation) in the first callback
// afterwards, so that buffered frames aren't judged late.

import type { Clock } from "#base/clock/clock.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

const BEAT_MS = 100;
const MAX_PAUSE_US = (BEAT_MS + FIXED_LIMITS.stall_ms) * 1000;

export type StallMonitor = {
  /** Must be called first in every external callback. `at` is in µs. */
  check(at: number): void;
  /** The same clock, with `check` before every callback. */
  readonly clock: Clock;
  stop(): void;
};

/**
 * `late` receives the lateness of each heartbeat. `stalled` receives the time and the delay in µs
 * of everything due before it.
 */
export function monitorStalls(
  clock: Clock,
  onStall: (at: number, lateness: number) => void,
  onBeat: (lateness: number) => void,
): StallMonitor {
  let lastBeat = clock.now();
  let cancel = () => {};

  function check(at: number): void {
    const pause = at - lastBeat;
    if (pause <= MAX_PAUSE_US) return;
    lastBeat = at;
    onStall(at, pause - BEAT_MS * 1000);
  }

  function beat(): void {
    const at = clock.now();
    onBeat(at - lastBeat - BEAT_MS * 1000);
    check(at);
    lastBeat = clock.now();
    cancel = clock.after(BEAT_MS, beat);
  }

  const after: Clock["after"] = (ms, callback) =>
    clock.after(ms, () => {
      check(clock.now());
      callback();
    });

  beat();
  return { check, clock: { ...clock, after }, stop: () => cancel() };
}
