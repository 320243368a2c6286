// The frames of one watched match, held back until they are old enough to be of no use to a bot.

import { SECOND_US } from "#base/util/time.ts";

export type WatchDelay = { ticks: number; seconds: number };

type DelayedFrame = { tick: number; capturedAt: number; text: string };

export class MatchFeed {
  readonly #delayed: DelayedFrame[] = [];
  #latestReleased: string | null = null;

  /** `text` is the frame before `tick` as JSON. `at` is in µs. */
  capture(tick: number, at: number, text: string): void {
    this.#delayed.push({ tick, capturedAt: at, text });
  }

  /** The newest frame that watchers may see; null before the first release. */
  get latest(): string | null {
    return this.#latestReleased;
  }

  get isDrained(): boolean {
    return this.#delayed.length === 0;
  }

  /**
   * Removes and returns the frames that are at least as old as the delay in both ticks and seconds,
   * oldest first. `currentTick` is null once the match is over: no bot can act on a frame any more,
   * so only the seconds count.
   */
  release(now: number, currentTick: number | null, delay: WatchDelay): string[] {
    const newestTick = currentTick === null ? Infinity : currentTick - delay.ticks;
    const newestTime = now - delay.seconds * SECOND_US;
    const isTooYoung = ({ tick, capturedAt }: DelayedFrame) =>
      tick > newestTick || capturedAt > newestTime;
    const firstYoung = this.#delayed.findIndex(isTooYoung);
    const count = firstYoung === -1 ? this.#delayed.length : firstYoung;
    const released = this.#delayed.splice(0, count).map(({ text }) => text);
    this.#latestReleased = released.at(-1) ?? this.#latestReleased;
    return released;
  }
}
