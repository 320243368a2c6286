import { operationalPolicy, ApiIndexSchema } from "#core/api/api-index.ts";
import type { ApiIndex } from "#core/api/api-index.ts";
import { simulatorAddresses } from "#web/docs/simulator.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { RouteTable } from "#web/http/route-table.ts";

export function indexRoutes(app: App, deps: ApiDeps, { endpoints }: RouteTable): void {
  const schema = { response: okResponses(ApiIndexSchema) };
  const config = { endpoint: "api", summary: "Server information and endpoints", public: true };
  app.get("/api", { schema, config }, async () => apiIndex(deps, endpoints));
}

const NO_ACCOUNTS = { signup: null, sign_in: null, handle: null, claim: null };
const ONBOARDING = {
  signup: "/account",
  sign_in: "/account",
  handle: "/api/account/handle",
  claim: "/api/account/claim",
};

/** Returns the index. Addresses of resources that aren't served are null. */
function apiIndex(
  { settings, accounts, versions, limits, documents, admission }: ApiDeps,
  endpoints: ApiIndex["endpoints"],
): ApiIndex {
  const { baseUrl, botEndpoint, play, anonymous, mcpEndpoint } = settings;
  const canRegister = anonymous || accounts !== null;
  const hasChanges = documents.changelog !== null;
  return {
    endpoints,
    onboarding: {
      ...(accounts === null ? NO_ACCOUNTS : ONBOARDING),
      register: canRegister ? "/api/bots" : null,
    },
    versions,
    bot_endpoint: botEndpoint,
    play: play && { ...play, opponents: [...play.opponents], page: "/play" },
    mcp: mcpEndpoint,
    accounts: accounts && accounts.provider.publicInfo(),
    authentication_required: !anonymous,
    openapi: `${baseUrl}/openapi.json`,
    simulator: simulatorAddresses(documents.simulator, documents.docs),
    commands: documents.commands && documents.commands.address,
    bot_code: "/download/bots",
    source: settings.sourceUrl,
    docs: "/docs",
    guide: "/guide",
    llms: "/llms.txt",
    changelog: hasChanges ? { json: "/api/changelog", page: "/changelog" } : null,
    operational_policy: operationalPolicy(limits(), admission !== null),
  };
}
