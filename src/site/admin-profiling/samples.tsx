import type { ProfilingSample } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";
import { Section } from "#site/look/parts.tsx";

import { curveOf, HEIGHT, WIDTH } from "./curve.ts";
import { bytesWords, decimal, milliseconds, percent } from "./words.ts";

type SampleFigure = {
  title: string;
  of: (sample: ProfilingSample) => number;
  words: (value: number) => string;
};

const FIGURES: readonly SampleFigure[] = [
  { title: "Processor, of one core", of: ({ cpu_pct }) => cpu_pct, words: percent },
  {
    title: "Thread late (p99)",
    of: ({ event_loop_p99_ms }) => event_loop_p99_ms,
    words: milliseconds,
  },
  { title: "Memory", of: ({ rss_bytes }) => rss_bytes, words: bytesWords },
  { title: "Heap in use", of: ({ heap_used_bytes }) => heap_used_bytes, words: bytesWords },
  { title: "Bouts", of: ({ running }) => running, words: decimal },
];

/** The latest two minutes, a figure each. */
export const Samples = ({ samples }: { samples: readonly ProfilingSample[] }) => (
  <Section id="profiling-samples" title="The latest two minutes">
    {samples.length === 0 ? (
      <p class="empty">The first sample comes a second after the start.</p>
    ) : (
      <div class="profiling-charts">
        {FIGURES.map((figure) => (
          <Chart key={figure.title} figure={figure} samples={samples} />
        ))}
      </div>
    )}
  </Section>
);

type ChartProps = { figure: SampleFigure; samples: readonly ProfilingSample[] };

function Chart({ figure: { title, of, words }, samples }: ChartProps) {
  const values = samples.map(of);
  const [latest, most] = [words(values.at(-1) ?? 0), words(Math.max(...values))];
  return (
    <figure class="profiling-chart">
      <figcaption>
        <span>{title}</span> <b>{latest}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${latest} now, ${most} at most in ${values.length} seconds`}
      >
        <path class="profiling-area" d={curveOf(values, FIXED.profiling_samples, true)} />
        <path class="profiling-line" d={curveOf(values, FIXED.profiling_samples, false)} />
      </svg>
      <p class="sub">at most {most}</p>
    </figure>
  );
}
