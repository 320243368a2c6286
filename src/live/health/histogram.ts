// Durations by size, in a few hundred bytes whatever their number. Times are in µs.

import { sure } from "#base/units/sure.ts";

/** Histogram steps of a quarter of an octave, so a quantile is at most 19 % too high. */
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

export function note(histogram: Histogram, duration: number, budgetMs = Infinity): void {
  const whole = duration > 0 ? duration : 0;
  addTo(histogram, stepOf(whole), 1);
  histogram.count += 1;
  histogram.sum += whole;
  if (whole > histogram.max) histogram.max = whole;
  if (whole > budgetMs * 1000) histogram.overBudget += 1;
}

/** Of each step, one more than the longest duration in it, in µs. */
const BOUNDS = Float64Array.from({ length: STEPS }, (_, step) => 2 ** (step / STEPS_PER_OCTAVE));
/** Longer ones, of half an hour, are all in the last step. */
const LONGEST = 2 ** 31 - 1;

/** Returns the lowest bucket that holds the value. Octaves come from the bits: a logarithm is slower. */
function stepOf(duration: number): number {
  if (duration >= LONGEST) return STEPS - 1;
  const size = duration + 1;
  let step = (31 - Math.clz32(size)) * STEPS_PER_OCTAVE;
  while (size > (BOUNDS[step] ?? Infinity)) step += 1;
  return step;
}

/** Upper bound of a step, in µs. */
const boundOf = (step: number): number => sure(BOUNDS[step], "step") - 1;

function addTo({ steps }: Histogram, step: number, count: number): void {
  steps[step] = sure(steps[step], "step") + count;
}

export function merge(sum: Histogram, more: Histogram): void {
  if (more.count === 0) return;
  for (const [step, count] of more.steps.entries()) addTo(sum, step, count);
  sum.count += more.count;
  sum.sum += more.sum;
  sum.max = Math.max(sum.max, more.max);
  sum.overBudget += more.overBudget;
}

/** In milliseconds; null without any. */
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

/** The bound of the step that holds the nearest-rank value, at most the maximum. */
function quantile({ steps, count, max }: Histogram, share: number): number {
  let left = Math.ceil(count * share);
  for (const [step, held] of steps.entries()) {
    left -= held;
    if (left <= 0) return Math.min(max, boundOf(step));
  }
  return max;
}
