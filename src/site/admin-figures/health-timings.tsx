import type { HealthView } from "#core/operator/health.ts";
import { HEALTH_TIMINGS } from "#core/words/health.ts";
import type { HealthTiming } from "#core/words/health.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { figureWords, wholeWords } from "./figure-words.ts";
import { budgetOf, percent } from "./verdict.ts";

export const TIMING_TITLES: Readonly<Record<HealthTiming, string>> = {
  event_loop: "Event loop late by",
  reply: "Reply of a bot",
  timeout_lateness: "Deadline noticed late by",
  simulation: "Playing a tick",
  observation: "Observations of a tick",
};

type Timing = HealthView["timings"][HealthTiming] & { name: HealthTiming; budget: number };

const ms = (title: string, of: (row: Timing) => number | null): TableColumn<Timing> => ({
  title,
  of,
  kind: "number",
  show: (row) => figureWords(of(row)),
});

const COLUMNS = [
  { title: "ms", of: ({ name }: Timing) => TIMING_TITLES[name] },
  ms("Budget", ({ budget }) => budget),
  ms("Median", ({ p50_ms }) => p50_ms),
  ms("95th percentile", ({ p95_ms }) => p95_ms),
  ms("99th percentile", ({ p99_ms }) => p99_ms),
  ms("Longest", ({ max_ms }) => max_ms),
  ms("Mean", ({ mean_ms }) => mean_ms),
  {
    title: "Over budget",
    of: ({ over_budget }: Timing) => over_budget,
    kind: "number",
    show: ({ over_budget, count }: Timing) =>
      `${wholeWords(over_budget)}${over_budget === 0 ? "" : ` (${percent(over_budget, count)})`}`,
  },
  {
    title: "Timed",
    of: ({ count }: Timing) => count,
    kind: "number",
    show: ({ count }: Timing) => wholeWords(count),
  },
] as const satisfies readonly TableColumn<Timing>[];

/** Every figure, against what it may be. */
export function Timings(view: HealthView) {
  const rows = HEALTH_TIMINGS.map((name) => ({
    ...view.timings[name],
    name,
    budget: budgetOf(view, name),
  }));
  return (
    <Section id="health-timings" title="How long things take">
      <Table
        caption="How long things take, in milliseconds"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty="Nothing is timed."
      />
    </Section>
  );
}
