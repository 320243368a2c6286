import type { ProfilingView, TimedOperation } from "#core/operator/profiling.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { bytesWords, decimal, milliseconds, percent } from "./words.ts";

type Gc = ProfilingView["gc"][number];

export function Process({ process }: Pick<ProfilingView, "process">) {
  const { event_loop: loop } = process;
  return (
    <Facts>
      <Fact title="Processor time">
        {decimal((process.cpu_user_ms + process.cpu_system_ms) / 1000)} s
      </Fact>
      <Fact title="Of it in the system">{decimal(process.cpu_system_ms / 1000)} s</Fact>
      <Fact title="Memory">{bytesWords(process.rss_bytes)}</Fact>
      <Fact title="Heap in use">
        {bytesWords(process.heap_used_bytes)} of {bytesWords(process.heap_total_bytes)}
      </Fact>
      <Fact title="Outside the heap">{bytesWords(process.external_bytes)}</Fact>
      <Fact title="Serving thread busy">{percent(100 * loop.utilization)}</Fact>
      <Fact title="Late, half of the time">{milliseconds(loop.p50_ms)}</Fact>
      <Fact title="Late, 99 of 100 times">{milliseconds(loop.p99_ms)}</Fact>
      <Fact title="Late at most">{milliseconds(loop.max_ms)}</Fact>
    </Facts>
  );
}

const time = (
  title: string,
  of: (operation: TimedOperation) => number | null,
): TableColumn<TimedOperation> => ({
  title,
  of,
  kind: "number",
  show: (operation) => shown(of(operation)),
});

const shown = (ms: number | null): string => (ms === null ? "–" : milliseconds(ms));

const OPERATIONS: [TableColumn<TimedOperation>, ...TableColumn<TimedOperation>[]] = [
  { title: "Operation", of: ({ name }) => name },
  { title: "Times", of: ({ count }) => count, kind: "number" },
  time("Mean", ({ mean_ms }) => mean_ms),
  time("Half within", ({ p50_ms }) => p50_ms),
  time("95 % within", ({ p95_ms }) => p95_ms),
  time("99 % within", ({ p99_ms }) => p99_ms),
  time("At most", ({ max_ms }) => max_ms),
];

export const Operations = ({ operations }: Pick<ProfilingView, "operations">) => (
  <Section id="profiling-operations" title="Operations">
    <p class="sub profiling-note">
      Since the server started; what took the most time in all comes first.
    </p>
    <Table
      caption="Operations"
      rows={operations}
      columns={OPERATIONS}
      keyOf={({ name }) => name}
      empty="Nothing has been done yet."
      isSearched
    />
  </Section>
);

const GC_WORDS: Record<Gc["kind"], string> = {
  scavenge: "Young objects",
  mark_sweep_compact: "All objects",
  incremental_marking: "Marking, in steps",
  weak_callbacks: "Weak references",
};

const GARBAGE: [TableColumn<Gc>, ...TableColumn<Gc>[]] = [
  { title: "Collection", of: ({ kind }) => GC_WORDS[kind] },
  { title: "Times", of: ({ count }) => count, kind: "number" },
  {
    title: "In all",
    of: ({ total_ms }) => total_ms,
    kind: "number",
    show: ({ total_ms }) => milliseconds(total_ms),
  },
  {
    title: "At most",
    of: ({ max_ms }) => max_ms,
    kind: "number",
    show: ({ max_ms }) => milliseconds(max_ms),
  },
];

export const Garbage = ({ gc }: Pick<ProfilingView, "gc">) => (
  <Section id="profiling-gc" title="Garbage collection">
    <p class="sub profiling-note">On the serving thread, which stands still for each.</p>
    <Table
      caption="Garbage collection"
      rows={gc}
      columns={GARBAGE}
      keyOf={({ kind }) => kind}
      empty="None yet."
    />
  </Section>
);
