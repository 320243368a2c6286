// How long operations took since the start, by name. Names come from tables in the source, so there
// is a bounded number of them.

import type { TimedOperation } from "#core/operator/profiling.ts";
import { emptyHistogram, note, reportHistogram } from "#live/health/histogram.ts";
import type { Histogram } from "#live/health/histogram.ts";

export type Operations = {
  /** A duration in µs. */
  note(name: string, duration: number): void;
  report(): TimedOperation[];
};

export function openOperations(): Operations {
  const operations = new Map<string, Histogram>();
  return {
    note: (name, duration) => {
      let histogram = operations.get(name);
      if (histogram === undefined) operations.set(name, (histogram = emptyHistogram()));
      note(histogram, duration);
    },
    report: () =>
      [...operations]
        .toSorted(([, one], [, other]) => other.sum - one.sum)
        .map(([name, histogram]) => ({ name, ...reportHistogram(histogram) })),
  };
}
