import { emailMetrics } from "./email-metrics.ts";
import type { EmailMetricsInput } from "./email-metrics.ts";
import { matchMetrics } from "./match-metrics.ts";
import type { RequestTotals } from "./process-totals.ts";
import { gaugeMetric, metricsToText } from "./prometheus-metric.ts";
import type { HealthReport } from "./server-health.ts";
import { arenaMetrics, machineMetrics, requestMetrics } from "./server-metrics.ts";
import type { ArenaMetricsInput, BuildInfo, MachineStats } from "./server-metrics.ts";

export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type MetricsInput = ArenaMetricsInput & {
  health: HealthReport;
  requests: RequestTotals;
  machine: MachineStats;
  build: BuildInfo;
  /** Null on a server without accounts. */
  emails: EmailMetricsInput | null;
};

export function renderMetrics({ health, machine, build, ...arenaInput }: MetricsInput): string {
  return metricsToText([
    ...machineMetrics(machine, build),
    gaugeMetric("bout_uptime_seconds", "Time since the process started.", [health.uptime_seconds]),
    ...arenaMetrics(arenaInput),
    ...emailMetrics(arenaInput.emails),
    ...matchMetrics(health),
    ...requestMetrics(arenaInput.requests),
  ]);
}
