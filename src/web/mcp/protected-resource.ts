// Protected resource metadata of the MCP endpoint (RFC 9728). Doesn't use the SDK, which requires
// the provider's metadata and would fail while the provider is down.

import { ProtectedResourceSchema } from "#core/api/mcp.ts";
import type { ApiSettings, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";

import type { ToolDeps } from "./tool.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/** Identity scopes only. The account's consent determines what an app may do. */
export const RESOURCE_SCOPES: readonly string[] = ["openid", "email"];

export const metadataUrl = ({ baseUrl }: Pick<ApiSettings, "baseUrl">): string =>
  `${baseUrl}${METADATA_PATH}`;

/**
 * Serves the metadata for the endpoint's path only. The metadata at the root would describe another
 * resource.
 */
export function resourceRoutes(app: App, deps: ToolDeps): void {
  const schema = { response: okResponses(ProtectedResourceSchema) };
  const summary = "Where apps get tokens for the MCP endpoint";
  const config = { endpoint: "mcp_resource", summary, public: true };
  app.get(METADATA_PATH, { schema, config }, async () => resourceOf(deps));
}

function resourceOf({ endpoint, settings, accounts }: ToolDeps) {
  const issuer = accounts?.provider.issuer();
  return {
    resource: endpoint,
    authorization_servers: issuer === undefined ? [] : [issuer],
    scopes_supported: [...RESOURCE_SCOPES],
    bearer_methods_supported: ["header"],
    resource_name: "Bout",
    resource_documentation: `${settings.baseUrl}/guide/mcp`,
  };
}
