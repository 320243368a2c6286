import { policyOf, ApiIndexSchema } from "#core/resources/api.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import { simulatorAddresses } from "#web/docs/simulator.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";
import type { RouteTable } from "#web/http/routes.ts";

export function indexRoutes(app: App, deps: ApiDeps, { endpoints }: RouteTable): void {
  const schema = { response: answers(ApiIndexSchema) };
  const config = { endpoint: "api", about: "What this server is and serves", public: true };
  app.get("/api", { schema, config }, async () => apiIndex(deps, endpoints));
}

const NO_ACCOUNTS = { signup: null, sign_in: null, handle: null, claim: null };
/** The first two are pages. */
const ONBOARDING = {
  signup: "/account",
  sign_in: "/account",
  handle: "/api/account/handle",
  claim: "/api/account/claim",
};

/** Only resources that are served have an address here; the others are null. */
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
    operational_policy: policyOf(limits(), admission !== null),
  };
}
