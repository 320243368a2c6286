import type { EmailMetricsInput } from "#core/api/email-metrics.ts";
import { METRICS_MEDIA_TYPE, renderMetrics } from "#core/api/metrics-page.ts";
import { PAIRING_BLOCK_TEXT } from "#core/api/pairing-block-text.ts";
import { HealthSchema } from "#core/api/server-health.ts";
import type { HealthView, PairingView } from "#core/api/server-health.ts";
import type { ArenaView, FloodReport, QueueReport } from "#live/arena/arena-view.ts";
import { serverState } from "#web/api/healthz.ts";
import type { HealthzDeps } from "#web/api/healthz.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { okResponses, textResponse } from "#web/http/route-params.ts";

import { credentials, operatorHooks } from "./admin-route.ts";

export function healthRoutes(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(HealthSchema) };
  const summary = "Server health over the last five minutes";
  const config = { endpoint: "admin_health", summary, credentials };
  app.get("/api/admin/health", { schema, config, ...operatorHooks(deps) }, () => healthView(deps));
  metricsRoute(app, deps);
}

function metricsRoute(app: App, deps: ApiDeps): void {
  const schema = { response: textResponse };
  const summary = "Server health as Prometheus metrics";
  const config = {
    endpoint: "admin_metrics",
    summary: summary,
    credentials,
    types: ["text/plain"],
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/metrics", options, (_request, reply) => {
    reply.type(METRICS_MEDIA_TYPE);
    return metricsOf(deps);
  });
}

function healthView({ health, arena, limits, clock }: ApiDeps): HealthView {
  const { uptime_seconds, window_seconds, observed_seconds, timings, turns, sends, games } =
    health();
  return {
    generated: clock().toISOString(),
    uptime_seconds,
    window_seconds,
    observed_seconds,
    tick_ms: Math.round(limits().tick_s * 1000),
    capacity: arena.capacity(),
    timings,
    turns,
    sends,
    games,
    pairing: arena.queueReports().map(pairingView),
    floods: floodTotals(arena.floodReport().bots),
  };
}

function pairingView(queue: QueueReport): PairingView {
  const { ladderId, waiting, waitingHouse, blockedBy } = queue;
  return {
    ladder_id: ladderId,
    waiting,
    waiting_house: waitingHouse,
    longest_wait_s: toTenths(queue.longestWaitSeconds),
    since_start_s: toTenths(queue.sinceStartSeconds),
    blocked_by: blockedBy,
    reason: blockedBy === null ? null : PAIRING_BLOCK_TEXT[blockedBy],
  };
}

const toTenths = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds * 10) / 10;

function floodTotals(bots: readonly FloodReport[]): HealthView["floods"] {
  return {
    last_hour: bots.reduce((sum, { lastHour }) => sum + lastHour, 0),
    bots: bots.filter(({ lastHour }) => lastHour > 0).length,
    suspended: bots.filter(({ suspendedUntil }) => suspendedUntil !== null).length,
  };
}

type MetricsDeps = HealthzDeps &
  Pick<ApiDeps, "accounts" | "health" | "metrics" | "versions"> & {
    arena: Pick<ArenaView, "queueReports" | "floodReport">;
  };

/** Renders the metrics. The API and the separate metrics port both call this. */
export async function metricsOf(deps: MetricsDeps): Promise<string> {
  const { arena, health, metrics, versions } = deps;
  const [machine, stored] = await Promise.all([metrics.machine(), metrics.stored()]);
  const { bots, total, suspensions } = arena.floodReport();
  return renderMetrics({
    health: health(),
    state: serverState(deps),
    capacity: arena.capacity(),
    onlineBots: arena.onlineBots().length,
    unsavedResults: arena.unsavedResults(),
    pairing: arena.queueReports().map(pairingView),
    floods: { total, suspensions, suspended: floodTotals(bots).suspended },
    requests: metrics.requests.totals,
    machine,
    build: versions,
    emails: emailMetrics(deps, stored),
  });
}

function emailMetrics(
  { accounts }: MetricsDeps,
  stored: EmailMetricsInput["storedMetrics"],
): EmailMetricsInput | null {
  if (accounts === null) return null;
  const { transactional, optionalResults } = accounts.mail;
  return { transactional: transactional(), optional: optionalResults, storedMetrics: stored };
}
