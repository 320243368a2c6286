import type { HealthView } from "#core/api/server-health.ts";
import { HEALTH_TIMINGS } from "#core/ids/health-timings.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { Section } from "#site/ui/section.tsx";

import { timingBudgetMs, formatPercent } from "./health-verdict.ts";
import { formatMetric, formatWhole } from "./metric-format.ts";

export const TIMING_TITLES: Readonly<Record<HealthTiming, string>> = {
  event_loop: "Event loop delay",
  reply: "Bot response",
  timeout_lateness: "Deadline lateness",
  simulation: "Simulating a tick",
  observation: "Writing observations",
};

type TimingRow = HealthView["timings"][HealthTiming] & { name: HealthTiming; budget: number };

const timingColumn = (
  title: string,
  accessor: (row: TimingRow) => number | null,
): TableColumn<TimingRow> => ({
  title,
  accessor,
  kind: "number",
  render: (row) => formatMetric(accessor(row)),
});

const COLUMNS = [
  { title: "ms", accessor: ({ name }: TimingRow) => TIMING_TITLES[name] },
  timingColumn("Budget", ({ budget }) => budget),
  timingColumn("Median", ({ p50_ms }) => p50_ms),
  timingColumn("95th percentile", ({ p95_ms }) => p95_ms),
  timingColumn("99th percentile", ({ p99_ms }) => p99_ms),
  timingColumn("Max", ({ max_ms }) => max_ms),
  timingColumn("Mean", ({ mean_ms }) => mean_ms),
  {
    title: "Over budget",
    accessor: ({ over_budget }: TimingRow) => over_budget,
    kind: "number",
    render: ({ over_budget, count }: TimingRow) =>
      `${formatWhole(over_budget)}${over_budget === 0 ? "" : ` (${formatPercent(over_budget, count)})`}`,
  },
  {
    title: "Samples",
    accessor: ({ count }: TimingRow) => count,
    kind: "number",
    render: ({ count }: TimingRow) => formatWhole(count),
  },
] as const satisfies readonly TableColumn<TimingRow>[];

export function TimingsTable(view: HealthView) {
  const rows = HEALTH_TIMINGS.map((name) => ({
    ...view.timings[name],
    name,
    budget: timingBudgetMs(view, name),
  }));
  return (
    <Section id="health-timings" title="Timings">
      <AdminTable
        caption="Timings, in milliseconds"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty="No timings yet."
      />
    </Section>
  );
}
