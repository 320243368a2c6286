import type { Capture, ProfilingView, StartedCapture } from "#core/api/profiling.ts";

import { formatField, EMPTY_CELL, formatSection, formatTextTable } from "./admin-print.ts";

const MIB = 1024 * 1024;
const MAX_OPERATIONS = 20;

const formatNumber = (value: number | null): string =>
  value === null ? EMPTY_CELL : String(Math.round(value * 1000) / 1000);
const formatMib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
const formatPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;

export function printProfiling({
  captures,
  operations,
  gc,
  process,
  samples,
}: ProfilingView): string[] {
  const { event_loop: loop } = process;
  const latest = samples.at(-1);
  return [
    formatField(
      "processor",
      `${formatNumber(process.cpu_user_ms)} ms, ${formatNumber(process.cpu_system_ms)} ms system`,
    ),
    formatField(
      "memory",
      `${formatMib(process.rss_bytes)}, heap ${formatMib(process.heap_used_bytes)}`,
    ),
    formatField("thread", `busy ${formatPercent(loop.utilization)}`),
    formatField("lateness", `p50 ${loop.p50_ms} ms, p99 ${loop.p99_ms} ms, max ${loop.max_ms} ms`),
    formatField(
      "last second",
      latest === undefined
        ? EMPTY_CELL
        : `${formatNumber(latest.cpu_pct)} % of a core, ${latest.running} matches`,
    ),
    ...formatSection(
      formatTextTable(
        ["GARBAGE", "COUNT", "MS", "MAX MS"],
        gc.map(({ kind, count, total_ms, max_ms }) => [
          kind,
          String(count),
          formatNumber(total_ms),
          formatNumber(max_ms),
        ]),
      ),
    ),
    ...formatSection(
      formatTextTable(
        ["MILLISECONDS", "COUNT", "MEAN", "P50", "P95", "P99", "MAX"],
        operations
          .slice(0, MAX_OPERATIONS)
          .map(({ name, count, ...timings }) => [
            name,
            String(count),
            ...[
              timings.mean_ms,
              timings.p50_ms,
              timings.p95_ms,
              timings.p99_ms,
              timings.max_ms,
            ].map(formatNumber),
          ]),
      ),
    ),
    ...formatSection(
      formatTextTable(
        ["CAPTURE", "STARTED", "STATE", "LABEL"],
        captures.map(({ id, started, state, error, label }) => [
          id,
          started,
          error === null ? state : `${state}: ${error}`,
          label,
        ]),
      ),
    ),
  ];
}

export function printCapture(capture: StartedCapture & Partial<Capture>): string[] {
  const { id, label, started, endsAt, state, size_bytes: size = null, error = null } = capture;
  return [
    formatField("id", id),
    formatField("label", label),
    formatField("state", error === null ? state : `${state}: ${error}`),
    formatField("started", started),
    formatField("ends", endsAt),
    ...(size === null ? [] : [formatField("size", `${size} bytes`)]),
  ];
}
