// The MCP endpoint: programs act for an account by tools.

import type { FastifyReply, FastifyRequest } from "fastify";

import { isLoopback, LOOPBACK_HOSTS } from "#base/units/loopback.ts";
import { admitted, isForeign, refuseForeign } from "#web/auth/auth.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";

import { exchange } from "./exchange.ts";
import { requireProgram } from "./program-caller.ts";
import { resourceRoutes } from "./protected-resource.ts";
import type { ToolDeps } from "./tool.ts";

/** Where the endpoint is below the base URL. */
const PATH = "/mcp";

export function mcpRoutes(app: App, deps: ToolDeps): void {
  resourceRoutes(app, deps);
  const onRequest = [requireOwnName(deps), requireProgram(deps)];
  const config = { countsFor: "mcp_per_second" } as const;
  app.post(PATH, { config, onRequest }, async ({ headers, body, caller }, reply) => {
    const message = { headers: messageHeaders(headers), body };
    return print(reply, await exchange(deps, admitted(caller), message));
  });
}

/**
 * A hook against pages of other sites. They reach a ladder on the reader's own machine under a name
 * that leads to it, so there the name is looked at too.
 */
function requireOwnName(deps: Pick<ApiDeps, "settings">) {
  const hosts = hostsOf(deps.settings.baseUrl);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { host = "" } = request.headers;
    if (hosts !== null && !hosts.has(host.toLowerCase()))
      return reply.send(refuseWith(reply, 403, "The header Host is not that of this ladder."));
    return isForeign(deps, request) ? reply.send(refuseForeign(reply)) : undefined;
  };
}

/** What the header Host may be; null where anything may. */
function hostsOf(baseUrl: string): ReadonlySet<string> | null {
  const { hostname, port, protocol } = new URL(baseUrl);
  if (!isLoopback(hostname)) return null;
  const usual = protocol === "https:" ? "443" : "80";
  const ports = port === "" ? ["", `:${usual}`] : [`:${port}`];
  return new Set([hostname, ...LOOPBACK_HOSTS].flatMap((name) => ports.map((end) => name + end)));
}

/** Every answer is JSON, also for clients that do not say that they take it. */
const FIXED_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Of the request's headers those of the protocol: the SDK never sees a credential. */
function messageHeaders(headers: FastifyRequest["headers"]): Record<string, string> {
  const own = Object.entries(headers).filter(
    (header): header is [string, string] =>
      header[0].startsWith("mcp-") && typeof header[1] === "string",
  );
  return { ...Object.fromEntries(own), ...FIXED_HEADERS };
}

async function print(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get("content-type");
  reply.code(response.status);
  // What needs no answer has no body.
  return type === null ? reply.send() : reply.type(type).send(await response.text());
}
