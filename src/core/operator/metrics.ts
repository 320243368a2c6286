// The page of metrics for Prometheus.

import { emailMetrics } from "./email-metrics.ts";
import type { EmailFigures } from "./email-metrics.ts";
import type { HealthReport } from "./health.ts";
import { gauge, metricsToText } from "./metric.ts";
import { playMetrics } from "./play-metrics.ts";
import { arenaMetrics, machineMetrics, requestMetrics } from "./server-metrics.ts";
import type { ArenaFigures, BuildFigures, MachineFigures } from "./server-metrics.ts";
import type { RequestTotals } from "./totals.ts";

/** The media type of the format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type MetricsFigures = ArenaFigures & {
  health: HealthReport;
  requests: RequestTotals;
  machine: MachineFigures;
  build: BuildFigures;
  /** Null on a server without accounts. */
  emails: EmailFigures | null;
};

export function metricsText({ health, machine, build, ...figures }: MetricsFigures): string {
  return metricsToText([
    ...machineMetrics(machine, build),
    gauge("bout_uptime_seconds", "Time since the process started.", [health.uptime_seconds]),
    ...arenaMetrics(figures),
    ...emailMetrics(figures.emails),
    ...playMetrics(health),
    ...requestMetrics(figures.requests),
  ]);
}
