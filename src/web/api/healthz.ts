// Whether the server can take requests, for whatever stands in front of it. It asks no database.

import { Type } from "typebox";

import { HealthzSchema } from "#core/operator/health.ts";
import type { Healthz } from "#core/operator/health.ts";
import { ErrorBodySchema } from "#core/resources/common.ts";
import type { ArenaView } from "#live/arena/view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

export type StateDeps = Pick<ApiDeps, "isStoreUp"> & {
  arena: Pick<ArenaView, "capacity" | "draining" | "online" | "unsaved">;
};

export function healthzRoutes(app: App, deps: StateDeps): void {
  // While the server opens, the answer is an error like any other.
  const away = Type.Union([HealthzSchema, ErrorBodySchema]);
  const schema = { response: { ...answers(HealthzSchema), 503: away } };
  const about = "Whether the server takes requests";
  const config = { endpoint: "healthz", about, public: true };
  app.get("/healthz", { schema, config }, (_request, reply) => {
    const state = stateOf(deps);
    reply.code(state.ok ? 200 : 503);
    return state;
  });
}

export function stateOf({ arena, isStoreUp }: StateDeps): Healthz {
  const store = isStoreUp() && arena.unsaved() === 0;
  const draining = arena.draining();
  return { ok: store && !draining, store, draining };
}
