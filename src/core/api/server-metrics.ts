import { ROUTE_CLASSES } from "./process-totals.ts";
import type { RequestTotals } from "./process-totals.ts";
import { counterMetric, gaugeMetric, histogramMetric, countSamples } from "./prometheus-metric.ts";
import type { Metric, MetricSample } from "./prometheus-metric.ts";
import type { Healthz, PairingView } from "./server-health.ts";

/** Machine statistics, read on each scrape. Null where unavailable. */
export type MachineStats = {
  residentBytes: number;
  heapUsedBytes: number;
  heapLimitBytes: number;
  cpuSeconds: number;
  startTimeSeconds: number;
  openFiles: number | null;
  maxFiles: number | null;
  disk: { sizeBytes: number; freeBytes: number } | null;
};

export type BuildInfo = { release: string; commit?: string | undefined; schema: number };

export function machineMetrics(machine: MachineStats, build: BuildInfo): Metric[] {
  const { release, commit = "", schema } = build;
  return [
    gaugeMetric("bout_build_info", "Release, commit and database schema; always 1.", [
      1,
      { version: release, commit, schema: String(schema) },
    ]),
    gaugeMetric("process_start_time_seconds", "Start of the process, in seconds since 1970.", [
      machine.startTimeSeconds,
    ]),
    counterMetric("process_cpu_seconds_total", "User and system CPU time.", [machine.cpuSeconds]),
    gaugeMetric("process_resident_memory_bytes", "Resident memory.", [machine.residentBytes]),
    gaugeMetric("nodejs_heap_used_bytes", "Used bytes of the JavaScript heap of the main thread.", [
      machine.heapUsedBytes,
    ]),
    gaugeMetric(
      "nodejs_heap_limit_bytes",
      "Maximum bytes of the JavaScript heap of the main thread.",
      [machine.heapLimitBytes],
    ),
    gaugeMetric("process_open_fds", "Open file descriptors.", [machine.openFiles]),
    gaugeMetric("process_max_fds", "Maximum number of open file descriptors.", [machine.maxFiles]),
    gaugeMetric("bout_disk_size_bytes", "Size of the file system that contains the data folder.", [
      machine.disk?.sizeBytes ?? null,
    ]),
    gaugeMetric(
      "bout_disk_free_bytes",
      "Bytes available to the server on the file system that contains the data folder.",
      [machine.disk?.freeBytes ?? null],
    ),
  ];
}

export type ArenaMetricsInput = {
  state: Healthz;
  capacity: { running: number; max: number };
  /** Bots that are connected or in a match. */
  onlineBots: number;
  unsavedResults: number;
  pairing: readonly PairingView[];
  floods: { total: number; suspensions: number; suspended: number };
};

export function arenaMetrics({ state, capacity, floods, ...arena }: ArenaMetricsInput): Metric[] {
  return [
    gaugeMetric("bout_store_up", "Whether the database responded to the last call.", [
      Number(state.store),
    ]),
    gaugeMetric("bout_draining", "Whether the server is shutting down.", [Number(state.draining)]),
    gaugeMetric("bout_matches_running", "Ranked matches running now.", [capacity.running]),
    gaugeMetric("bout_matches_max", "Maximum number of concurrent ranked matches.", [capacity.max]),
    gaugeMetric("bout_bots_online", "Bots that are connected or playing.", [arena.onlineBots]),
    gaugeMetric("bout_results_waiting", "Results waiting for the database.", [
      arena.unsavedResults,
    ]),
    counterMetric("bout_floods_total", "Bots disconnected for too many messages (code 4009).", [
      floods.total,
    ]),
    counterMetric(
      "bout_flood_suspensions_total",
      "Bot suspensions for sending too many messages.",
      [floods.suspensions],
    ),
    gaugeMetric("bout_bots_suspended", "Bots currently suspended for sending too many messages.", [
      floods.suspended,
    ]),
    ...queueMetrics(arena.pairing),
  ];
}

function queueMetrics(pairing: readonly PairingView[]): Metric[] {
  const ladderSamples = (value: (queue: PairingView) => number | null): MetricSample[] =>
    pairing.map((queue) => [value(queue), { ladder: queue.ladder_id }]);
  return [
    gaugeMetric(
      "bout_queue_bots",
      "Bots in the queue of an open ladder.",
      ...pairing.flatMap(({ ladder_id: ladder, waiting, waiting_house }): MetricSample[] => [
        [waiting, { ladder, kind: "player" }],
        [waiting_house, { ladder, kind: "house" }],
      ]),
    ),
    gaugeMetric(
      "bout_queue_longest_wait_seconds",
      "Longest wait of a bot in the queue, excluding house bots; 0 while no bot is waiting.",
      ...ladderSamples((queue) => queue.longest_wait_s ?? 0),
    ),
    gaugeMetric(
      "bout_queue_since_match_start_seconds",
      "Time since the last match start on the ladder; absent if there was none in the last day.",
      ...ladderSamples((queue) => queue.since_start_s),
    ),
    gaugeMetric(
      "bout_queue_blocked",
      "1 while no match can start on the ladder, with the reason as a label; else 0.",
      ...pairing.map(({ ladder_id: ladder, blocked_by, reason }): MetricSample => [
        Number(blocked_by !== null),
        { ladder, blocked_by: blocked_by ?? "", reason: reason ?? "" },
      ]),
    ),
  ];
}

export function requestMetrics({ requests, durations, refusals }: RequestTotals): Metric[] {
  return [
    counterMetric(
      "bout_http_requests_total",
      "HTTP requests by route class and status class.",
      ...countSamples(requests, "route", "status"),
    ),
    histogramMetric(
      "bout_http_request_duration_seconds",
      "Time from an HTTP request to its response.",
      ROUTE_CLASSES.map((route) => [{ route }, durations[route]]),
    ),
    counterMetric(
      "bout_http_refusals_total",
      "HTTP requests that were refused, by error code.",
      ...countSamples(refusals, "code"),
    ),
  ];
}
