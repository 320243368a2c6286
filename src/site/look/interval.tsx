import { intervalWords, shareOf } from "./interval-words.ts";
import type { Estimate, Scale } from "./interval-words.ts";

type IntervalProps = Estimate & {
  /** Shared by all intervals that the eye compares. */
  scale: Scale;
  /** A value to compare with, drawn as a line: zero for a difference. */
  mark?: number | undefined;
  tone?: string | undefined;
  /** Instead of the numbers in words. */
  label?: string | undefined;
};

/** A value as a dot on the range that it may be in. */
export function Interval({ scale, mark, tone = "", label, ...estimate }: IntervalProps) {
  const x = (value: number) => `${shareOf(value, scale)}%`;
  return (
    <svg class={`interval ${tone}`} role="img" aria-label={label ?? intervalWords(estimate)}>
      <line class="interval-scale" x1="0" x2="100%" y1="50%" y2="50%" />
      {mark !== undefined && (
        <line class="interval-mark" x1={x(mark)} x2={x(mark)} y1="0" y2="100%" />
      )}
      <line class="interval-range" x1={x(estimate.low)} x2={x(estimate.high)} y1="50%" y2="50%" />
      <circle class="interval-at" cx={x(estimate.at)} cy="50%" r="4" />
    </svg>
  );
}
