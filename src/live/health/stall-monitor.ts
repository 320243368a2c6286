// Detects event loop stalls caused by suspension, garbage collection or CPU starvation. A stall is
// reported in the first callback after it, before buffered frames are judged late.

import type { Clock } from "#base/clock/clock.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

const BEAT_MS = 100;
const MAX_PAUSE_US = (BEAT_MS + FIXED_LIMITS.stall_ms) * 1000;

export type StallMonitor = {
  /** Call first in every callback that doesn't come from `clock`. `at` is in µs. */
  check(at: number): void;
  /** The watched clock: calls `check` before every callback. */
  readonly clock: Clock;
  stop(): void;
};

/**
 * Starts monitoring. `onBeat` receives the lateness of each heartbeat in µs. `onStall` receives the
 * time of a stall and the delay of everything that was due, both in µs.
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
