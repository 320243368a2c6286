import type { Limits } from "#core/limits/limits.ts";

import { watchAdmission } from "./admission.ts";
import { watchAlarms, watchBlame } from "./alarms.ts";
import { watchAwards } from "./awards.ts";
import { watchDailyPlaces } from "./daily-places.ts";
import { watchEndings } from "./ladder-ends.ts";
import { watchLimits } from "./limits.ts";
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
  start: string;
  /**
   * For one in this many rated games, ratings are refitted before and after the game. All other
   * checks always run.
   */
  refitEvery: number;
};

export function createWatches({ limits, start, refitEvery }: WatchOptions): Watch[] {
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
    watchDailyPlaces(),
    watchBlame(),
    watchAlarms(),
  ];
}
