// How the server does: for operators as data, and for Prometheus as text.

import { HealthSchema } from "#core/operator/health.ts";
import type { HealthView } from "#core/operator/health.ts";
import { METRICS_TYPE, metricsText } from "#core/operator/metrics.ts";
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
  };
}

/** What Prometheus is told, over HTTP and on the port of its own. */
export function metricsOf(deps: StateDeps & Pick<ApiDeps, "health">): string {
  const { arena } = deps;
  return metricsText({
    health: deps.health(),
    state: stateOf(deps),
    capacity: arena.capacity(),
    online: arena.online().length,
    waiting: arena.unsaved(),
  });
}
