// What the runtime tells of the process: memory, processor time, garbage, and how late the thread is.

import {
  constants,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
} from "node:perf_hooks";

import type { Clock } from "#base/clock/clock.ts";
import { GC_KINDS } from "#core/operator/profiling.ts";
import type { GcKind, ProfilingFigures, ProfilingSample } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";

export type Vitals = {
  read(): Omit<ProfilingFigures, "operations">;
  stop(): void;
};

const SAMPLE_MS = 1000;
/** Between two looks at the lateness of timers. */
const LOOK_MS = 10;

const GC_FLAG: Readonly<Record<GcKind, number>> = {
  scavenge: constants.NODE_PERFORMANCE_GC_MINOR,
  mark_sweep_compact: constants.NODE_PERFORMANCE_GC_MAJOR,
  incremental_marking: constants.NODE_PERFORMANCE_GC_INCREMENTAL,
  weak_callbacks: constants.NODE_PERFORMANCE_GC_WEAKCB,
};

type Pauses = Record<GcKind, { count: number; total: number; max: number }>;

/** Measures until it is stopped. `running` counts matches. */
export function openVitals(clock: Clock, running: () => number): Vitals {
  const gc = watchGarbage();
  const [whole, second] = [openDelays(), openDelays()];
  const loop = performance.eventLoopUtilization();
  const samples: ProfilingSample[] = [];
  let last = { at: clock.now(), cpu: process.cpuUsage() };
  let cancel = clock.after(SAMPLE_MS, sample);

  function sample(): void {
    const now = { at: clock.now(), cpu: process.cpuUsage() };
    const used = now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system;
    const { rss, heapUsed } = process.memoryUsage();
    samples.push({
      at: clock.wall().toISOString(),
      cpu_pct: rounded((100 * used) / Math.max(1, now.at - last.at)),
      rss_bytes: rss,
      heap_used_bytes: heapUsed,
      event_loop_p99_ms: second.latest(99),
      running: running(),
    });
    if (samples.length > FIXED.profiling_samples) samples.shift();
    second.reset();
    last = now;
    cancel = clock.after(SAMPLE_MS, sample);
  }

  return {
    read: () => ({
      gc: GC_KINDS.map((kind) => gcReport(kind, gc.pauses)),
      process: processReport(performance.eventLoopUtilization(loop), whole),
      samples: [...samples],
    }),
    stop: () => {
      cancel();
      gc.stop();
      whole.stop();
      second.stop();
    },
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function gcReport(kind: GcKind, pauses: Pauses) {
  const { count, total, max } = pauses[kind];
  return { kind, count, total_ms: rounded(total), max_ms: rounded(max) };
}

function processReport(
  { active, idle, utilization }: ReturnType<typeof performance.eventLoopUtilization>,
  delays: Delays,
): ProfilingFigures["process"] {
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
      active_ms: rounded(active),
      idle_ms: rounded(idle),
      utilization: rounded(utilization),
      p50_ms: delays.latest(50),
      p99_ms: delays.latest(99),
      max_ms: delays.latest(100),
    },
  };
}

type Delays = {
  /** A percentile of the delays since the last reset, in milliseconds. */
  latest(percentile: number): number;
  reset(): void;
  stop(): void;
};

/** The runtime's figure is the time between two looks, and `LOOK_MS` of it were meant. */
function openDelays(): Delays {
  const delays = monitorEventLoopDelay({ resolution: LOOK_MS });
  delays.enable();
  return {
    latest: (percentile) =>
      delays.count === 0
        ? 0
        : rounded(Math.max(0, delays.percentile(percentile) / 1_000_000 - LOOK_MS)),
    reset: () => delays.reset(),
    stop: () => void delays.disable(),
  };
}

type Pause = PerformanceEntry & { detail?: { kind?: number } };

function watchGarbage(): { pauses: Pauses; stop: () => void } {
  const none = GC_KINDS.map((kind) => [kind, { count: 0, total: 0, max: 0 }] as const);
  const pauses = Object.fromEntries(none) as Pauses;
  const observer = new PerformanceObserver((list) => {
    // The runtime's own type of an entry lacks what only some have.
    for (const { duration, detail } of list.getEntries() as Pause[]) {
      const flag = detail?.kind;
      const kind = GC_KINDS.find((one) => GC_FLAG[one] === flag);
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
