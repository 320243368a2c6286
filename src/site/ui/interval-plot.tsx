import { describeInterval, percentOnScale } from "./rating-interval.ts";
import type { RatingEstimate, Scale } from "./rating-interval.ts";

type IntervalPlotProps = RatingEstimate & {
  /** Shared by all intervals that are compared. */
  scale: Scale;
  /** Drawn as a line. Use 0 for a difference. */
  referenceValue?: number | undefined;
  tone?: string | undefined;
  label?: string | undefined;
};

export function IntervalPlot({
  scale,
  referenceValue,
  tone = "",
  label,
  ...estimate
}: IntervalPlotProps) {
  const x = (value: number) => `${percentOnScale(value, scale)}%`;
  return (
    <svg class={`interval ${tone}`} role="img" aria-label={label ?? describeInterval(estimate)}>
      <line class="interval-scale" x1="0" x2="100%" y1="50%" y2="50%" />
      {referenceValue !== undefined && (
        <line
          class="interval-mark"
          x1={x(referenceValue)}
          x2={x(referenceValue)}
          y1="0"
          y2="100%"
        />
      )}
      <line class="interval-range" x1={x(estimate.low)} x2={x(estimate.high)} y1="50%" y2="50%" />
      <circle class="interval-at" cx={x(estimate.center)} cy="50%" r="4" />
    </svg>
  );
}
