// The document that says where programs get tokens for the MCP endpoint (RFC 9728). It is written
// by hand: the SDK wants the provider's metadata first, which is not there while the provider is
// down.

import { ProtectedResourceSchema } from "#core/resources/mcp.ts";
import type { ApiSettings, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

import type { ToolDeps } from "./tool.ts";

const ADDRESS = "/.well-known/oauth-protected-resource/mcp";

/** The identity alone: what a program may do is decided here, by the account's consent. */
export const SCOPES: readonly string[] = ["openid", "email"];

export const metadataUrl = ({ baseUrl }: Pick<ApiSettings, "baseUrl">): string =>
  `${baseUrl}${ADDRESS}`;

/** At the endpoint's own path alone: the bare address would be about another resource. */
export function resourceRoutes(app: App, deps: ToolDeps): void {
  const schema = { response: answers(ProtectedResourceSchema) };
  const about = "Where programs get tokens for the MCP endpoint";
  const config = { endpoint: "mcp_resource", about, public: true };
  app.get(ADDRESS, { schema, config }, async () => resourceOf(deps));
}

function resourceOf({ endpoint, settings, accounts }: ToolDeps) {
  const issuer = accounts?.provider.issuer();
  return {
    resource: endpoint,
    authorization_servers: issuer === undefined ? [] : [issuer],
    scopes_supported: [...SCOPES],
    bearer_methods_supported: ["header"],
    resource_name: "Bout",
    resource_documentation: `${settings.baseUrl}/guide/mcp`,
  };
}
