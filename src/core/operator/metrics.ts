// Health as text for Prometheus: its exposition format, version 0.0.4.

import type { HealthReport, Healthz, TimingReport } from "./health.ts";

/** The media type of the format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type MetricsFigures = {
  health: HealthReport;
  state: Healthz;
  capacity: { running: number; max: number };
  /** Sessions of bots that are connected or playing. */
  online: number;
  /** Results that wait for the store. */
  waiting: number;
};

/** A value with its labels; null has no line. */
type Sample = readonly [value: number | null, labels?: Readonly<Record<string, string>>];

type Metric = {
  name: string;
  /** What it is, for people. */
  help: string;
  /** Only what is counted since the process started is a counter. */
  type: "gauge" | "counter";
  samples: readonly Sample[];
};

/** The whole page. Times are seconds; what has no samples is left out. */
export function metricsText(figures: MetricsFigures): string {
  const metrics = [...serverMetrics(figures), ...windowMetrics(figures.health)];
  return metrics.map(metricText).join("");
}

const gauge = (name: string, help: string, ...samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: "gauge",
  samples,
});

function serverMetrics({ health, state, capacity, online, waiting }: MetricsFigures): Metric[] {
  return [
    gauge("bout_uptime_seconds", "Since the process started.", [health.uptime_seconds]),
    gauge("bout_store_up", "Whether the store answered when last asked.", [Number(state.store)]),
    gauge("bout_draining", "Whether the server lets matches end before it stops.", [
      Number(state.draining),
    ]),
    gauge("bout_matches_running", "Ranked matches now.", [capacity.running]),
    gauge("bout_matches_max", "Ranked matches that may run at once.", [capacity.max]),
    gauge("bout_bots_online", "Bots that are connected or playing.", [online]),
    gauge("bout_results_waiting", "Results that wait for the store.", [waiting]),
    {
      name: "bout_results_lost_total",
      help: "Results that bots were told of and that cannot be looked up.",
      type: "counter",
      samples: [[health.lost_results]],
    },
  ];
}

function windowMetrics({ timings, turns, sends, games, house, ...span }: HealthReport): Metric[] {
  const timed = Object.entries(timings);
  const counts = (of: (report: TimingReport) => number): Sample[] =>
    timed.map(([timing, report]) => [of(report), { timing }]);
  return [
    gauge("bout_window_seconds", "What the figures below are about: the latest seconds.", [
      span.observed_seconds,
    ]),
    gauge("bout_timing_seconds", "How long things took.", ...timed.flatMap(durations)),
    gauge("bout_timing_count", "How often.", ...counts(({ count }) => count)),
    gauge(
      "bout_timing_over_budget",
      "How often it took longer than it should.",
      ...counts(({ over_budget }) => over_budget),
    ),
    gauge("bout_turns", "Turns of bots in ranked matches.", ...byKind(turns)),
    gauge("bout_house_troubles", "Troubles of house bots.", ...byKind(house)),
    gauge("bout_sends", "Messages to bots.", [sends.total]),
    gauge("bout_sends_backpressured", "Those sent while earlier bytes still waited.", [
      sends.backpressured,
    ]),
    gauge("bout_send_buffer_bytes_max", "The most that waited for one bot.", [
      sends.max_buffered_bytes,
    ]),
    gauge("bout_games", "Ranked games that were fought out.", [games.count]),
    gauge("bout_game_turns_mean", "Turns of such a game.", [games.mean_turns]),
    gauge("bout_game_moves_mean", "Moves in it.", [games.mean_moves]),
    gauge("bout_game_dashes_mean", "Dashes in it.", [games.mean_dashes]),
    gauge(
      "bout_game_duration_seconds",
      "How long such games took.",
      [inSeconds(games.mean_duration_ms), { statistic: "mean" }],
      [inSeconds(games.max_duration_ms), { statistic: "max" }],
    ),
    gauge("bout_game_turn_seconds", "How long one turn of them took.", [
      inSeconds(games.ms_per_turn),
    ]),
  ];
}

const STATISTICS = ["mean", "p50", "p95", "p99", "max"] as const;

const durations = ([timing, report]: readonly [string, TimingReport]): Sample[] =>
  STATISTICS.map((statistic) => [inSeconds(report[`${statistic}_ms`]), { timing, statistic }]);

const byKind = (counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([kind, count]) => [count, { kind }]);

/** To the microsecond. */
const inSeconds = (ms: number | null): number | null =>
  ms === null ? null : Math.round(ms * 1000) / 1_000_000;

function metricText({ name, help, type, samples }: Metric): string {
  const lines = samples.flatMap(([value, labels = {}]) =>
    value === null ? [] : [`${name}${labelsText(labels)} ${value}\n`],
  );
  if (lines.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

/** Every label is a word of ours, so nothing needs to be escaped. */
function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
