// Process, disk, database, requests and queues as metrics.

import type { Healthz, PairingView } from "./health.ts";
import { counter, gauge, histograms, countSamples } from "./metric.ts";
import type { Metric, Sample } from "./metric.ts";
import { ROUTE_CLASSES } from "./totals.ts";
import type { RequestTotals } from "./totals.ts";

/** Machine figures, read for each scrape. Null if unavailable. */
export type MachineFigures = {
  residentBytes: number;
  heapUsedBytes: number;
  heapLimitBytes: number;
  cpuSeconds: number;
  startedSeconds: number;
  openFiles: number | null;
  mostFiles: number | null;
  /** Of the file system of the data folder. */
  disk: { sizeBytes: number; freeBytes: number } | null;
};

export type BuildFigures = { release: string; commit?: string | undefined; schema: number };

export function machineMetrics(machine: MachineFigures, build: BuildFigures): Metric[] {
  const { release, commit = "", schema } = build;
  return [
    gauge("bout_build_info", "Release, commit and database schema; always 1.", [
      1,
      { version: release, commit, schema: String(schema) },
    ]),
    gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", [
      machine.startedSeconds,
    ]),
    counter("process_cpu_seconds_total", "User and system CPU time.", [machine.cpuSeconds]),
    gauge("process_resident_memory_bytes", "Resident memory.", [machine.residentBytes]),
    gauge("nodejs_heap_used_bytes", "Used bytes of the JavaScript heap of the main thread.", [
      machine.heapUsedBytes,
    ]),
    gauge("nodejs_heap_limit_bytes", "Most bytes that heap may take.", [machine.heapLimitBytes]),
    gauge("process_open_fds", "Open file descriptors.", [machine.openFiles]),
    gauge("process_max_fds", "Most file descriptors that may be open.", [machine.mostFiles]),
    gauge("bout_disk_size_bytes", "Size of the file system of the data folder.", [
      machine.disk?.sizeBytes ?? null,
    ]),
    gauge("bout_disk_free_bytes", "Bytes of it that the server may still use.", [
      machine.disk?.freeBytes ?? null,
    ]),
  ];
}

export type ArenaFigures = {
  state: Healthz;
  capacity: { running: number; max: number };
  /** Sessions of bots that are connected or playing. */
  online: number;
  /** Results that wait for the store. */
  waiting: number;
  pairing: readonly PairingView[];
  floods: { total: number; suspensions: number; suspended: number };
};

export function arenaMetrics({ state, capacity, floods, ...arena }: ArenaFigures): Metric[] {
  return [
    gauge("bout_store_up", "Whether the database answered when last asked.", [Number(state.store)]),
    gauge("bout_draining", "Whether the server is shutting down.", [Number(state.draining)]),
    gauge("bout_matches_running", "Ranked matches running now.", [capacity.running]),
    gauge("bout_matches_max", "Ranked matches that may run at once.", [capacity.max]),
    gauge("bout_bots_online", "Bots that are connected or playing.", [arena.online]),
    gauge("bout_results_waiting", "Results that wait for the database.", [arena.waiting]),
    counter("bout_floods_total", "Bots disconnected for too many messages (code 4009).", [
      floods.total,
    ]),
    counter("bout_flood_suspensions_total", "Bots suspended for such disconnections.", [
      floods.suspensions,
    ]),
    gauge("bout_bots_suspended", "Bots suspended now for such disconnections.", [floods.suspended]),
    ...queueMetrics(arena.pairing),
  ];
}

function queueMetrics(pairing: readonly PairingView[]): Metric[] {
  const perLadder = (value: (queue: PairingView) => number | null): Sample[] =>
    pairing.map((queue) => [value(queue), { ladder: queue.ladder_id }]);
  return [
    gauge(
      "bout_queue_bots",
      "Bots in the queue of an open ladder.",
      ...pairing.flatMap(({ ladder_id: ladder, waiting, waiting_house }): Sample[] => [
        [waiting, { ladder, kind: "player" }],
        [waiting_house, { ladder, kind: "house" }],
      ]),
    ),
    gauge(
      "bout_queue_longest_wait_seconds",
      "Longest wait of a bot in the queue, house bots aside; 0 while no bot waits.",
      ...perLadder((queue) => queue.longest_wait_s ?? 0),
    ),
    gauge(
      "bout_queue_since_match_start_seconds",
      "Time since the last match start on the ladder; absent if there was none in the last day.",
      ...perLadder((queue) => queue.since_start_s),
    ),
    gauge(
      "bout_queue_blocked",
      "1 while no match can start on the ladder, with the reason as a label; else 0.",
      ...pairing.map(({ ladder_id: ladder, blocked_by, reason }): Sample => [
        Number(blocked_by !== null),
        { ladder, blocked_by: blocked_by ?? "", reason: reason ?? "" },
      ]),
    ),
  ];
}

export function requestMetrics({ requests, durations, refusals }: RequestTotals): Metric[] {
  return [
    counter(
      "bout_http_requests_total",
      "HTTP requests by class of route and class of status.",
      ...countSamples(requests, "route", "status"),
    ),
    histograms(
      "bout_http_request_duration_seconds",
      "Time from an HTTP request to its answer.",
      ROUTE_CLASSES.map((route) => [{ route }, durations[route]]),
    ),
    counter(
      "bout_http_refusals_total",
      "HTTP requests that were refused, by error code.",
      ...countSamples(refusals, "code"),
    ),
  ];
}
