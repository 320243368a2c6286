import { policyOf, ApiIndexSchema } from "#protocol/resource-api.ts";
import type { ApiIndex } from "#protocol/resource-api.ts";

import type { ApiDeps, App } from "./deps.ts";
import { answers } from "./query.ts";
import type { RouteTable } from "./routes.ts";

export function indexRoutes(app: App, deps: ApiDeps, { endpoints }: RouteTable): void {
  const schema = { response: answers(ApiIndexSchema) };
  const config = { endpoint: "api", public: true };
  app.get("/api", { schema, config }, async () => apiIndex(deps, endpoints));
}

/** Only what is served has an address here; the rest is null. */
function apiIndex(
  { settings, versions, limits }: ApiDeps,
  endpoints: ApiIndex["endpoints"],
): ApiIndex {
  const { botEndpoint, anonymous } = settings;
  return {
    endpoints,
    onboarding: { signup: null, sign_in: null, handle: null, register: "/api/bots", claim: null },
    versions,
    bot_endpoint: botEndpoint,
    mcp: null,
    accounts: null,
    authentication_required: !anonymous,
    openapi: null,
    simulator: { javascript: null, script: null, python: null, docs: null },
    bot_code: null,
    docs: "/docs",
    changelog: null,
    operational_policy: policyOf(limits),
  };
}
