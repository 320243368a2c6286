// Notices that this process stalled (stopped, collecting garbage, starved of CPU) at the first
// thing that happens afterwards, before a frame that waited in a buffer is taken for a late one.

import type { Clock } from "#base/clock/clock.ts";
import { FIXED } from "#core/words/limits.ts";

const BEAT_MS = 100;
const LONGEST_PAUSE = (BEAT_MS + FIXED.stall_ms) * 1000;

export type StallWatch = {
  /** Must be called first in every callback from outside; `at` in µs. */
  check(at: number): void;
  /** The same clock, with `check` before every callback. */
  readonly clock: Clock;
  stop(): void;
};

/**
 * `late` receives the lateness of each heartbeat. `stalled` receives the moment and how late (µs)
 * everything is that was due before it.
 */
export function watchStalls(
  clock: Clock,
  stalled: (at: number, lateness: number) => void,
  late: (lateness: number) => void,
): StallWatch {
  let lastBeat = clock.now();
  let cancel = () => {};

  function check(at: number): void {
    const pause = at - lastBeat;
    if (pause <= LONGEST_PAUSE) return;
    lastBeat = at;
    stalled(at, pause - BEAT_MS * 1000);
  }

  function beat(): void {
    const at = clock.now();
    late(at - lastBeat - BEAT_MS * 1000);
    check(at);
    lastBeat = clock.now();
    cancel = clock.after(BEAT_MS, beat);
  }

  const after: Clock["after"] = (ms, call) =>
    clock.after(ms, () => {
      check(clock.now());
      call();
    });

  beat();
  return { check, clock: { ...clock, after }, stop: () => cancel() };
}
