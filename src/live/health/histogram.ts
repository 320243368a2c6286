// Duration histogram that uses a few hundred bytes for any number of records. Times are in µs.

import { assertDefined } from "#base/util/assert-defined.ts";

/** Buckets are a quarter octave wide, so quantiles can be up to 19% too high. */
const STEPS_PER_OCTAVE = 4;
const STEPS = 32 * STEPS_PER_OCTAVE;

export type Histogram = {
  readonly steps: Uint32Array;
  count: number;
  sum: number;
  max: number;
  overBudget: number;
};

export const emptyHistogram = (): Histogram => ({
  steps: new Uint32Array(STEPS),
  count: 0,
  sum: 0,
  max: 0,
  overBudget: 0,
});

export function addSample(histogram: Histogram, duration: number, budgetMs = Infinity): void {
  const clamped = duration > 0 ? duration : 0;
  addToStep(histogram, stepOf(clamped), 1);
  histogram.count += 1;
  histogram.sum += clamped;
  if (clamped > histogram.max) histogram.max = clamped;
  if (clamped > budgetMs * 1000) histogram.overBudget += 1;
}

/** Exclusive upper bounds of the buckets, in µs. */
const BOUNDS = Float64Array.from({ length: STEPS }, (_, step) => 2 ** (step / STEPS_PER_OCTAVE));
/**
 * Longest distinguishable duration in µs (36 minutes). Anything longer goes into the last bucket.
 */
const MAX_DURATION = 2 ** 31 - 1;

/**
 * Returns the lowest bucket that fits the duration. Reads the octave from the bits, which is faster
 * than a logarithm.
 */
function stepOf(duration: number): number {
  if (duration >= MAX_DURATION) return STEPS - 1;
  const size = duration + 1;
  let step = (31 - Math.clz32(size)) * STEPS_PER_OCTAVE;
  while (size > (BOUNDS[step] ?? Infinity)) step += 1;
  return step;
}

/** Inclusive upper bound of a bucket, in µs. */
const boundOf = (step: number): number => assertDefined(BOUNDS[step], "step") - 1;

function addToStep({ steps }: Histogram, step: number, count: number): void {
  steps[step] = assertDefined(steps[step], "step") + count;
}

export function mergeHistogram(target: Histogram, source: Histogram): void {
  if (source.count === 0) return;
  for (const [step, count] of source.steps.entries()) addToStep(target, step, count);
  target.count += source.count;
  target.sum += source.sum;
  target.max = Math.max(target.max, source.max);
  target.overBudget += source.overBudget;
}

/**
 * Returns the count, and the mean, quantiles and maximum in ms. Durations are null while the count
 * is 0.
 */
export function reportHistogram(histogram: Histogram) {
  const { count, sum, max } = histogram;
  const ms = (value: number) => (count === 0 ? null : Math.round(value) / 1000);
  return {
    count,
    mean_ms: ms(sum / count),
    p50_ms: ms(quantile(histogram, 0.5)),
    p95_ms: ms(quantile(histogram, 0.95)),
    p99_ms: ms(quantile(histogram, 0.99)),
    max_ms: ms(max),
  };
}

/** Uses the nearest-rank method and returns the bucket's upper bound, capped at the maximum. */
function quantile({ steps, count, max }: Histogram, fraction: number): number {
  let remaining = Math.ceil(count * fraction);
  for (const [step, stepCount] of steps.entries()) {
    remaining -= stepCount;
    if (remaining <= 0) return Math.min(max, boundOf(step));
  }
  return max;
}
