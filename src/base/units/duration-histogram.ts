// Counts of durations since a start, by upper bounds that a collector of metrics can add up.

/** Upper bounds in seconds, each included. Longer durations count in the total alone. */
export const DURATION_BOUNDS_S = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

const BOUNDS_US = DURATION_BOUNDS_S.map((seconds) => seconds * 1_000_000);

export type DurationHistogram = {
  /** For each bound, how many durations were longer than the bound before it; then the longest. */
  readonly counts: Float64Array;
  /** In seconds. */
  sumSeconds: number;
};

export const newDurationHistogram = (): DurationHistogram => ({
  counts: new Float64Array(BOUNDS_US.length + 1),
  sumSeconds: 0,
});

/** Adds a duration in µs; a negative one counts as 0. */
export function addDuration(histogram: DurationHistogram, duration: number): void {
  const { counts } = histogram;
  const whole = duration > 0 ? duration : 0;
  let at = 0;
  while (at < BOUNDS_US.length && whole > (BOUNDS_US[at] ?? 0)) at += 1;
  counts[at] = (counts[at] ?? 0) + 1;
  histogram.sumSeconds += whole / 1_000_000;
}

/** Returns how many durations were at most as long as each bound, and then how many there were. */
export function cumulativeCounts({ counts }: DurationHistogram): number[] {
  let sum = 0;
  return Array.from(counts, (count) => (sum += count));
}
