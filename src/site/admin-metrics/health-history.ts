// The browser keeps the health history, because the server stores only the last five minutes.

import { SECOND_MS } from "#base/util/time.ts";
import type { HealthView } from "#core/api/server-health.ts";

/** Seconds of history to keep. */
const HISTORY_S = 600;
/** Charts start with a shorter range, so they're readable in the first minutes. */
const MIN_RANGE_S = 120;
/** A longer pause between responses breaks the line. */
const GAP_S = 20;

/** Oldest first. */
export type HealthHistory = readonly HealthView[];

const generatedSecond = ({ generated }: HealthView): number => Date.parse(generated) / SECOND_MS;

/** Appends a response and drops responses older than the range to keep. */
export function appendHealth(history: HealthHistory, latest: HealthView): HealthHistory {
  const latestSecond = generatedSecond(latest);
  const last = history.at(-1);
  if (last?.generated === latest.generated) return history;
  // The server clock moved back.
  if (last !== undefined && generatedSecond(last) >= latestSecond) return [latest];
  return [...history.filter((entry) => generatedSecond(entry) >= latestSecond - HISTORY_S), latest];
}

export function historyRange(history: HealthHistory): [from: number, to: number] {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return [0, MIN_RANGE_S];
  const latestSecond = generatedSecond(last);
  return [Math.min(generatedSecond(first), latestSecond - MIN_RANGE_S), latestSecond];
}

/** Returns the chart rows. A null view marks a gap. */
export function plotRows(history: HealthHistory): { seconds: number; view: HealthView | null }[] {
  return history.flatMap((view, index) => {
    const seconds = generatedSecond(view);
    const previous = history[index - 1];
    if (previous === undefined) return [{ seconds, view }];
    const isGap =
      seconds - generatedSecond(previous) > GAP_S || view.uptime_seconds < previous.uptime_seconds;
    return isGap
      ? [
          { seconds: (generatedSecond(previous) + seconds) / 2, view: null },
          { seconds, view },
        ]
      : [{ seconds, view }];
  });
}
