import type { ProfilingView, TimedOperation } from "#core/api/profiling.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { Section } from "#site/ui/section.tsx";

import {
  formatBinaryBytes,
  formatDecimal,
  formatProfiledMs,
  formatProfiledPercent,
} from "./profiling-format.ts";

type GcStats = ProfilingView["gc"][number];

export function ProcessMetrics({ process }: Pick<ProfilingView, "process">) {
  const { event_loop: eventLoop } = process;
  return (
    <FactList>
      <Fact title="CPU time">
        {formatDecimal((process.cpu_user_ms + process.cpu_system_ms) / 1000)} s
      </Fact>
      <Fact title="System CPU time">{formatDecimal(process.cpu_system_ms / 1000)} s</Fact>
      <Fact title="Memory">{formatBinaryBytes(process.rss_bytes)}</Fact>
      <Fact title="Heap used">
        {formatBinaryBytes(process.heap_used_bytes)} of{" "}
        {formatBinaryBytes(process.heap_total_bytes)}
      </Fact>
      <Fact title="External memory">{formatBinaryBytes(process.external_bytes)}</Fact>
      <Fact title="Serving thread busy">{formatProfiledPercent(100 * eventLoop.utilization)}</Fact>
      <Fact title="Event loop delay, median">{formatProfiledMs(eventLoop.p50_ms)}</Fact>
      <Fact title="Event loop delay, p99">{formatProfiledMs(eventLoop.p99_ms)}</Fact>
      <Fact title="Event loop delay, max">{formatProfiledMs(eventLoop.max_ms)}</Fact>
    </FactList>
  );
}

const timeColumn = (
  title: string,
  accessor: (operation: TimedOperation) => number | null,
): TableColumn<TimedOperation> => ({
  title,
  accessor,
  kind: "number",
  render: (operation) => formatOptionalMs(accessor(operation)),
});

const formatOptionalMs = (ms: number | null): string => (ms === null ? "–" : formatProfiledMs(ms));

const OPERATION_COLUMNS: [TableColumn<TimedOperation>, ...TableColumn<TimedOperation>[]] = [
  { title: "Operation", accessor: ({ name }) => name },
  { title: "Count", accessor: ({ count }) => count, kind: "number" },
  timeColumn("Mean", ({ mean_ms }) => mean_ms),
  timeColumn("Median", ({ p50_ms }) => p50_ms),
  timeColumn("95 % within", ({ p95_ms }) => p95_ms),
  timeColumn("99 % within", ({ p99_ms }) => p99_ms),
  timeColumn("Max", ({ max_ms }) => max_ms),
];

export const OperationsTable = ({ operations }: Pick<ProfilingView, "operations">) => (
  <Section id="profiling-operations" title="Operations">
    <p class="sub profiling-note">Since the server started, by total time.</p>
    <AdminTable
      caption="Operations"
      rows={operations}
      columns={OPERATION_COLUMNS}
      keyOf={({ name }) => name}
      empty="No operations yet."
      isSearchable
    />
  </Section>
);

const GC_KIND_LABELS: Record<GcStats["kind"], string> = {
  scavenge: "Minor (young generation)",
  mark_sweep_compact: "Major (full)",
  incremental_marking: "Incremental marking",
  weak_callbacks: "Weak references",
};

const GC_COLUMNS: [TableColumn<GcStats>, ...TableColumn<GcStats>[]] = [
  { title: "Collection", accessor: ({ kind }) => GC_KIND_LABELS[kind] },
  { title: "Count", accessor: ({ count }) => count, kind: "number" },
  {
    title: "Total",
    accessor: ({ total_ms }) => total_ms,
    kind: "number",
    render: ({ total_ms }) => formatProfiledMs(total_ms),
  },
  {
    title: "Max",
    accessor: ({ max_ms }) => max_ms,
    kind: "number",
    render: ({ max_ms }) => formatProfiledMs(max_ms),
  },
];

export const GarbageCollection = ({ gc }: Pick<ProfilingView, "gc">) => (
  <Section id="profiling-gc" title="Garbage collection">
    <p class="sub profiling-note">Each one pauses the serving thread.</p>
    <AdminTable
      caption="Garbage collection"
      rows={gc}
      columns={GC_COLUMNS}
      keyOf={({ kind }) => kind}
      empty="None yet."
    />
  </Section>
);
