import type { ProfilingSample } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { Section } from "#site/ui/section.tsx";

import { curvePath, CURVE_HEIGHT, CURVE_WIDTH } from "./curve.ts";
import {
  formatBinaryBytes,
  formatDecimal,
  formatProfiledMs,
  formatProfiledPercent,
} from "./profiling-format.ts";

type SampleMetric = {
  title: string;
  valueFrom: (sample: ProfilingSample) => number;
  words: (value: number) => string;
};

const SAMPLE_METRICS: readonly SampleMetric[] = [
  {
    title: "CPU, one core",
    valueFrom: ({ cpu_pct }) => cpu_pct,
    words: formatProfiledPercent,
  },
  {
    title: "Event loop delay (p99)",
    valueFrom: ({ event_loop_p99_ms }) => event_loop_p99_ms,
    words: formatProfiledMs,
  },
  { title: "Memory", valueFrom: ({ rss_bytes }) => rss_bytes, words: formatBinaryBytes },
  {
    title: "Heap used",
    valueFrom: ({ heap_used_bytes }) => heap_used_bytes,
    words: formatBinaryBytes,
  },
  { title: "Matches", valueFrom: ({ running }) => running, words: formatDecimal },
];

export const SampleCharts = ({ samples }: { samples: readonly ProfilingSample[] }) => (
  <Section id="profiling-samples" title="Last two minutes">
    {samples.length === 0 ? (
      <p class="empty">The first sample arrives one second after startup.</p>
    ) : (
      <div class="profiling-charts">
        {SAMPLE_METRICS.map((metric) => (
          <Chart key={metric.title} metric={metric} samples={samples} />
        ))}
      </div>
    )}
  </Section>
);

type ChartProps = { metric: SampleMetric; samples: readonly ProfilingSample[] };

function Chart({ metric: { title, valueFrom, words }, samples }: ChartProps) {
  const values = samples.map(valueFrom);
  const [latestText, maxText] = [words(values.at(-1) ?? 0), words(Math.max(...values))];
  return (
    <figure class="profiling-chart">
      <figcaption>
        <span>{title}</span> <b>{latestText}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${latestText} now, max ${maxText} in ${values.length} seconds`}
      >
        <path class="profiling-area" d={curvePath(values, FIXED_LIMITS.profiling_samples, true)} />
        <path class="profiling-line" d={curvePath(values, FIXED_LIMITS.profiling_samples, false)} />
      </svg>
      <p class="sub">max {maxText}</p>
    </figure>
  );
}
