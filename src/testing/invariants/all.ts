// All invariants of the ladder.

import type { Limits } from "#core/words/limits.ts";

import { watchAdmission } from "./admission.ts";
import { watchAwards } from "./awards.ts";
import { watchEndings } from "./endings.ts";
import { watchAlarms, watchFairClock } from "./fairness.ts";
import { watchLimits } from "./limits.ts";
import { watchNoted } from "./noted.ts";
import { watchPairs } from "./pairs.ts";
import { watchPractice } from "./practice.ts";
import { watchProgress } from "./progress.ts";
import { watchRatings } from "./ratings.ts";
import { watchRequests } from "./requests.ts";
import { watchResults } from "./results.ts";
import { watchSeasons } from "./seasons.ts";
import { watchStarvation } from "./starvation.ts";
import { watchWaits } from "./waits.ts";
import type { Watch } from "./watch.ts";

export type WatchOptions = {
  limits: Limits;
  /** When the ladder is created. */
  start: string;
  /**
   * One rated game in this many is refitted before and after; everything else is always checked.
   */
  refitEvery: number;
};

export function allWatches({ limits, start, refitEvery }: WatchOptions): Watch[] {
  return [
    watchAdmission(),
    watchPairs(),
    watchLimits(limits),
    watchPractice(limits),
    watchResults(),
    watchRatings(refitEvery),
    watchProgress(),
    watchWaits(limits),
    watchStarvation(),
    watchSeasons(start),
    watchRequests(),
    watchAwards(),
    watchEndings(),
    watchNoted(),
    watchFairClock(),
    watchAlarms(),
  ];
}
