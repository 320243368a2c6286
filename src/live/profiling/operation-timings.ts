// Durations of operations since startup, by name. All names come from tables in the source, so
// memory is bounded.

import type { TimedOperation } from "#core/api/profiling.ts";
import { emptyHistogram, addSample, reportHistogram } from "#live/health/histogram.ts";
import type { Histogram } from "#live/health/histogram.ts";

export type OperationTimings = {
  /** Records a duration in µs. */
  record(name: string, duration: number): void;
  report(): TimedOperation[];
};

export function openOperationTimings(): OperationTimings {
  const histograms = new Map<string, Histogram>();
  return {
    record: (name, duration) => {
      let histogram = histograms.get(name);
      if (histogram === undefined) histograms.set(name, (histogram = emptyHistogram()));
      addSample(histogram, duration);
    },
    report: () =>
      [...histograms]
        .toSorted(([, a], [, b]) => b.sum - a.sum)
        .map(([name, histogram]) => ({ name, ...reportHistogram(histogram) })),
  };
}
