// How the server does: for operators as data, and for Prometheus as text.

import type { EmailFigures } from "#core/operator/email-metrics.ts";
import { HealthSchema } from "#core/operator/health.ts";
import type { HealthView, PairingView } from "#core/operator/health.ts";
import { METRICS_TYPE, metricsText } from "#core/operator/metrics.ts";
import { PAIRING_WORDS } from "#core/operator/pairing-words.ts";
import type { ArenaView, FloodReport, QueueReport } from "#live/arena/view.ts";
import { stateOf } from "#web/api/healthz.ts";
import type { StateDeps } from "#web/api/healthz.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers, textAnswers } from "#web/http/query.ts";

import { credentials, operatorHooks } from "./operator.ts";

export function healthRoutes(app: App, deps: ApiDeps): void {
  const schema = { response: answers(HealthSchema) };
  const about = "How the server did in the latest five minutes";
  const config = { endpoint: "admin_health", about, credentials };
  app.get("/api/admin/health", { schema, config, ...operatorHooks(deps) }, () => view(deps));
  metricsRoute(app, deps);
}

function metricsRoute(app: App, deps: ApiDeps): void {
  const schema = { response: textAnswers };
  const about = "The same as text for Prometheus";
  const config = { endpoint: "admin_metrics", about, credentials, types: ["text/plain"] };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/metrics", options, (_request, reply) => {
    reply.type(METRICS_TYPE);
    return metricsOf(deps);
  });
}

function view({ health, arena, limits, clock }: ApiDeps): HealthView {
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
    pairing: arena.queues().map(pairingView),
    floods: floodSums(arena.floods().bots),
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
    reason: blockedBy === null ? null : PAIRING_WORDS[blockedBy],
  };
}

const toTenths = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds * 10) / 10;

function floodSums(bots: readonly FloodReport[]): HealthView["floods"] {
  return {
    last_hour: bots.reduce((sum, { lastHour }) => sum + lastHour, 0),
    bots: bots.filter(({ lastHour }) => lastHour > 0).length,
    suspended: bots.filter(({ suspendedUntil }) => suspendedUntil !== null).length,
  };
}

type MetricsDeps = StateDeps &
  Pick<ApiDeps, "accounts" | "health" | "metrics" | "versions"> & {
    arena: Pick<ArenaView, "queues" | "floods">;
  };

/** The page of metrics, the same over the API and on the port of its own. */
export async function metricsOf(deps: MetricsDeps): Promise<string> {
  const { arena, health, metrics, versions } = deps;
  const [machine, stored] = await Promise.all([metrics.machine(), metrics.stored()]);
  const { bots, total, suspensions } = arena.floods();
  return metricsText({
    health: health(),
    state: stateOf(deps),
    capacity: arena.capacity(),
    online: arena.online().length,
    waiting: arena.unsaved(),
    pairing: arena.queues().map(pairingView),
    floods: { total, suspensions, suspended: floodSums(bots).suspended },
    requests: metrics.requests.totals,
    machine,
    build: versions,
    emails: emailFigures(deps, stored),
  });
}

function emailFigures(
  { accounts }: MetricsDeps,
  stored: EmailFigures["stored"],
): EmailFigures | null {
  if (accounts === null) return null;
  const { transactional, optionalEnds } = accounts.mail;
  return { transactional: transactional(), optional: optionalEnds, stored };
}
