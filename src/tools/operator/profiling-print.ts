// Answers to an operator about where a server's time goes, for people.

import type { Capture, ProfilingView, StartedCapture } from "#core/operator/profiling.ts";
import { line, NOTHING, section, table } from "#tools/cli/admin-print.ts";

const MIB = 1024 * 1024;
/** Operations that are shown; the answer has all. */
const SHOWN = 20;

const figure = (value: number | null): string =>
  value === null ? NOTHING : String(Math.round(value * 1000) / 1000);
const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

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
    line(
      "processor",
      `${figure(process.cpu_user_ms)} ms, ${figure(process.cpu_system_ms)} ms system`,
    ),
    line("memory", `${inMib(process.rss_bytes)}, ${inMib(process.heap_used_bytes)} of heap`),
    line("thread", `busy ${percent(loop.utilization)} of the time`),
    line("lateness", `p50 ${loop.p50_ms} ms, p99 ${loop.p99_ms} ms, at most ${loop.max_ms} ms`),
    line(
      "last second",
      latest === undefined
        ? NOTHING
        : `${figure(latest.cpu_pct)} % of a core, ${latest.running} matches`,
    ),
    ...section(
      table(
        ["GARBAGE", "COUNT", "MS", "MAX MS"],
        gc.map(({ kind, count, total_ms, max_ms }) => [
          kind,
          String(count),
          figure(total_ms),
          figure(max_ms),
        ]),
      ),
    ),
    ...section(
      table(
        ["MILLISECONDS", "COUNT", "MEAN", "P50", "P95", "P99", "MAX"],
        operations
          .slice(0, SHOWN)
          .map(({ name, count, ...times }) => [
            name,
            String(count),
            ...[times.mean_ms, times.p50_ms, times.p95_ms, times.p99_ms, times.max_ms].map(figure),
          ]),
      ),
    ),
    ...section(
      table(
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
    line("id", id),
    line("label", label),
    line("state", error === null ? state : `${state}: ${error}`),
    line("started", started),
    line("ends", endsAt),
    ...(size === null ? [] : [line("size", `${size} bytes`)]),
  ];
}
