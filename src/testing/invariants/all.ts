// All invariants of the ladder together.

import type { Limits } from "#core/words/limits.ts";

import { watchAlarms, watchFairClock } from "./fairness.ts";
import { watchLimits } from "./limits.ts";
import { watchPairs } from "./pairs.ts";
import { watchProgress } from "./progress.ts";
import { watchRatings } from "./ratings.ts";
import { watchResults } from "./results.ts";
import { watchSeasons } from "./seasons.ts";
import { watchStarvation } from "./starvation.ts";
import { watchWaits } from "./waits.ts";
import type { Watch } from "./watch.ts";

export type WatchOptions = {
  limits: Limits;
  /** The instant at which the ladder is made. */
  start: string;
  /** One rated game in so many is refitted before and after; all else is looked at each time. */
  refitEvery: number;
};

export function allWatches({ limits, start, refitEvery }: WatchOptions): Watch[] {
  return [
    watchPairs(),
    watchLimits(limits),
    watchResults(),
    watchRatings(refitEvery),
    watchProgress(),
    watchWaits(limits),
    watchStarvation(),
    watchSeasons(start),
    watchFairClock(),
    watchAlarms(),
  ];
}
