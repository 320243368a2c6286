// Readiness check for load balancers. Doesn't query the database.

import { Type } from "typebox";

import { ErrorBodySchema } from "#core/api/common-schemas.ts";
import { HealthzSchema } from "#core/api/server-health.ts";
import type { Healthz } from "#core/api/server-health.ts";
import type { ArenaView } from "#live/arena/arena-view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";

export type HealthzDeps = Pick<ApiDeps, "isStoreUp"> & {
  arena: Pick<ArenaView, "capacity" | "isDraining" | "onlineBots" | "unsavedResults">;
};

export function healthzRoutes(app: App, deps: HealthzDeps): void {
  const startingResponse = Type.Union([HealthzSchema, ErrorBodySchema]);
  const schema = { response: { ...okResponses(HealthzSchema), 503: startingResponse } };
  const summary = "Whether the server accepts requests";
  const config = { endpoint: "healthz", summary, public: true };
  app.get("/healthz", { schema, config }, (_request, reply) => {
    const state = serverState(deps);
    reply.code(state.ok ? 200 : 503);
    return state;
  });
}

export function serverState({ arena, isStoreUp }: HealthzDeps): Healthz {
  const store = isStoreUp() && arena.unsavedResults() === 0;
  const draining = arena.isDraining();
  return { ok: store && !draining, store, draining };
}
