import type { FastifyReply, FastifyRequest } from "fastify";

import { isLoopbackHost, LOOPBACK_HOSTS } from "#base/util/loopback.ts";
import { assertAuthenticated, isCrossOrigin, refuseCrossOrigin } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";

import { requireApp } from "./app-auth.ts";
import { handleMessage } from "./handle-message.ts";
import { resourceRoutes } from "./protected-resource.ts";
import type { ToolDeps } from "./tool.ts";

const PATH = "/mcp";

export function mcpRoutes(app: App, deps: ToolDeps): void {
  resourceRoutes(app, deps);
  const onRequest = [requireKnownHost(deps), requireApp(deps)];
  const config = { rateLimit: "mcp_per_second" } as const;
  app.post(PATH, { config, onRequest }, async ({ headers, body, caller }, reply) => {
    const message = { headers: messageHeaders(headers), body };
    return sendMcpResponse(reply, await handleMessage(deps, assertAuthenticated(caller), message));
  });
}

/**
 * Returns a hook that rejects cross-origin requests and, on a local server, unknown Host headers.
 * With DNS rebinding, a page on another site could reach a local server under that site's host
 * name.
 */
function requireKnownHost(deps: Pick<ApiDeps, "settings">) {
  const hosts = hostsOf(deps.settings.baseUrl);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { host = "" } = request.headers;
    if (hosts !== null && !hosts.has(host.toLowerCase()))
      return reply.send(refuseWithStatus(reply, 403, "The Host header doesn't match this server."));
    return isCrossOrigin(deps, request) ? reply.send(refuseCrossOrigin(reply)) : undefined;
  };
}

/** Returns the allowed Host headers. Null if any host is allowed. */
function hostsOf(baseUrl: string): ReadonlySet<string> | null {
  const { hostname, port, protocol } = new URL(baseUrl);
  if (!isLoopbackHost(hostname)) return null;
  const defaultPort = protocol === "https:" ? "443" : "80";
  const ports = port === "" ? ["", `:${defaultPort}`] : [`:${port}`];
  return new Set(
    [hostname, ...LOOPBACK_HOSTS].flatMap((name) => ports.map((suffix) => name + suffix)),
  );
}

/** Responses are always JSON, even if the client doesn't declare support for it. */
const FIXED_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Passes on protocol headers only, so that the SDK never sees a credential. */
function messageHeaders(headers: FastifyRequest["headers"]): Record<string, string> {
  const mcpHeaders = Object.entries(headers).filter(
    (header): header is [string, string] =>
      header[0].startsWith("mcp-") && typeof header[1] === "string",
  );
  return { ...Object.fromEntries(mcpHeaders), ...FIXED_HEADERS };
}

async function sendMcpResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get("content-type");
  reply.code(response.status);
  // The SDK's response to a notification has no type and no body.
  return type === null ? reply.send() : reply.type(type).send(await response.text());
}
