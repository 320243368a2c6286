// Process metrics from the runtime: memory, CPU time, garbage collection and event loop delay.

import {
  constants,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
} from "node:perf_hooks";

import type { Clock } from "#base/clock/clock.ts";
import { GC_KINDS } from "#core/api/profiling.ts";
import type { GcKind, ProfilingStats, ProfilingSample } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export type Vitals = {
  read(): Omit<ProfilingStats, "operations">;
  stop(): void;
};

const SAMPLE_MS = 1000;
/** Sampling interval for event loop delay. */
const RESOLUTION_MS = 10;

const GC_FLAG: Readonly<Record<GcKind, number>> = {
  scavenge: constants.NODE_PERFORMANCE_GC_MINOR,
  mark_sweep_compact: constants.NODE_PERFORMANCE_GC_MAJOR,
  incremental_marking: constants.NODE_PERFORMANCE_GC_INCREMENTAL,
  weak_callbacks: constants.NODE_PERFORMANCE_GC_WEAKCB,
};

type GcPauses = Record<GcKind, { count: number; total: number; max: number }>;

/** Samples once a second until stopped. `runningMatches` returns the number of running matches. */
export function openVitals(clock: Clock, runningMatches: () => number): Vitals {
  const gcWatch = watchGc();
  const [totalDelays, lastSecondDelays] = [openLoopDelays(), openLoopDelays()];
  const loopStart = performance.eventLoopUtilization();
  const samples: ProfilingSample[] = [];
  let previous = { at: clock.now(), cpu: process.cpuUsage() };
  let cancel = clock.after(SAMPLE_MS, sample);

  function sample(): void {
    const current = { at: clock.now(), cpu: process.cpuUsage() };
    const cpuUsed = current.cpu.user + current.cpu.system - previous.cpu.user - previous.cpu.system;
    const { rss, heapUsed } = process.memoryUsage();
    samples.push({
      at: clock.wall().toISOString(),
      cpu_pct: roundToMicros((100 * cpuUsed) / Math.max(1, current.at - previous.at)),
      rss_bytes: rss,
      heap_used_bytes: heapUsed,
      event_loop_p99_ms: lastSecondDelays.percentileMs(99),
      running: runningMatches(),
    });
    if (samples.length > FIXED_LIMITS.profiling_samples) samples.shift();
    lastSecondDelays.reset();
    previous = current;
    cancel = clock.after(SAMPLE_MS, sample);
  }

  return {
    read: () => ({
      gc: GC_KINDS.map((kind) => gcReport(kind, gcWatch.pauses)),
      process: processReport(performance.eventLoopUtilization(loopStart), totalDelays),
      samples: [...samples],
    }),
    stop: () => {
      cancel();
      gcWatch.stop();
      totalDelays.stop();
      lastSecondDelays.stop();
    },
  };
}

const roundToMicros = (value: number): number => Math.round(value * 1000) / 1000;

function gcReport(kind: GcKind, pauses: GcPauses) {
  const { count, total, max } = pauses[kind];
  return { kind, count, total_ms: roundToMicros(total), max_ms: roundToMicros(max) };
}

function processReport(
  { active, idle, utilization }: ReturnType<typeof performance.eventLoopUtilization>,
  delays: LoopDelays,
): ProfilingStats["process"] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return {
    cpu_user_ms: user / 1000,
    cpu_system_ms: system / 1000,
    rss_bytes: rss,
    heap_used_bytes: heapUsed,
    heap_total_bytes: heapTotal,
    external_bytes: external,
    event_loop: {
      active_ms: roundToMicros(active),
      idle_ms: roundToMicros(idle),
      utilization: roundToMicros(utilization),
      p50_ms: delays.percentileMs(50),
      p99_ms: delays.percentileMs(99),
      max_ms: delays.percentileMs(100),
    },
  };
}

type LoopDelays = {
  /** Returns a percentile of the delays since the last reset, in ms. */
  percentileMs(percentile: number): number;
  reset(): void;
  stop(): void;
};

/**
 * The runtime reports the time between two samples, so the intended interval `RESOLUTION_MS` is
 * subtracted.
 */
function openLoopDelays(): LoopDelays {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  return {
    percentileMs: (percentile) =>
      delays.count === 0
        ? 0
        : roundToMicros(Math.max(0, delays.percentile(percentile) / 1_000_000 - RESOLUTION_MS)),
    reset: () => delays.reset(),
    stop: () => void delays.disable(),
  };
}

type GcEntry = PerformanceEntry & { detail?: { kind?: number } };

function watchGc(): { pauses: GcPauses; stop: () => void } {
  const emptyPauses = GC_KINDS.map((kind) => [kind, { count: 0, total: 0, max: 0 }] as const);
  const pauses = Object.fromEntries(emptyPauses) as GcPauses;
  const observer = new PerformanceObserver((list) => {
    // Node's type doesn't declare the garbage collection kind.
    for (const { duration, detail } of list.getEntries() as GcEntry[]) {
      const flag = detail?.kind;
      const kind = GC_KINDS.find((gcKind) => GC_FLAG[gcKind] === flag);
      if (kind === undefined) continue;
      const pause = pauses[kind];
      pause.count += 1;
      pause.total += duration;
      pause.max = Math.max(pause.max, duration);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  return { pauses, stop: () => observer.disconnect() };
}
