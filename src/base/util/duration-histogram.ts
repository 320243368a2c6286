/** Inclusive upper bounds in seconds. Longer durations count only towards the total. */
export const DURATION_BOUNDS_S = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

const BOUNDS_US = DURATION_BOUNDS_S.map((seconds) => seconds * 1_000_000);

export type DurationHistogram = {
  /** Number of durations per bucket, then the number of longer durations. */
  readonly counts: Float64Array;
  sumSeconds: number;
};

export const createDurationHistogram = (): DurationHistogram => ({
  counts: new Float64Array(BOUNDS_US.length + 1),
  sumSeconds: 0,
});

/** Adds a duration in µs. A negative duration counts as 0. */
export function addDuration(histogram: DurationHistogram, duration: number): void {
  const { counts } = histogram;
  const durationUs = duration > 0 ? duration : 0;
  let bucket = 0;
  while (bucket < BOUNDS_US.length && durationUs > (BOUNDS_US[bucket] ?? 0)) bucket += 1;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  histogram.sumSeconds += durationUs / 1_000_000;
}

/** Returns the number of durations up to each bound, then the total. */
export function cumulativeCounts({ counts }: DurationHistogram): number[] {
  let sum = 0;
  return Array.from(counts, (count) => (sum += count));
}
