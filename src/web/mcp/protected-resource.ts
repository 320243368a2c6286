// Protected resource metadata for the MCP endpoint (RFC 9728). Written by hand, because the SDK
// requires the provider's metadata, which is unavailable while the provider is down.

import { ProtectedResourceSchema } from "#core/api/mcp.ts";
import type { ApiSettings, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";

import type { ToolDeps } from "./tool.ts";

const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/** Identity scopes only: the account's consent decides what an app may do. */
export const RESOURCE_SCOPES: readonly string[] = ["openid", "email"];

export const metadataUrl = ({ baseUrl }: Pick<ApiSettings, "baseUrl">): string =>
  `${baseUrl}${METADATA_PATH}`;

/** Served for the endpoint's path only; the bare address would describe another resource. */
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
