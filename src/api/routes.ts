// The table of what is served: it names the endpoints, and answers wrong methods and preflights.

import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";

import type { App } from "./deps.ts";
import { refuseWith } from "./errors.ts";
import type { HttpCode } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Key of the route among the endpoints of `GET /api`. */
    endpoint?: string;
    /** A GET without a credential, which any site may read. */
    public?: boolean;
    /** Code of the refusal when this field of the body is malformed. */
    fieldCodes?: Record<string, HttpCode>;
  }
}

type ServedPath = {
  pattern: RegExp;
  methods: Set<string>;
  isPublic: boolean;
};

export type RouteTable = {
  paths: Map<string, ServedPath>;
  /** Paths by endpoint key, `{name}` standing for a part to fill in. */
  endpoints: Record<string, string>;
};

/** How long a browser may remember the answer to a preflight. */
const PREFLIGHT_MAX_AGE_S = 86_400;

/** Follows the routes as they are added; requests that meet none are answered from the table. */
export function watchRoutes(app: App): RouteTable {
  const table: RouteTable = { paths: new Map(), endpoints: {} };
  app.addHook("onRoute", (route) => note(table, route));
  return table;
}

function note({ paths, endpoints }: RouteTable, { url, method, config }: RouteOptions): void {
  const path = paths.getOrInsertComputed(url, () => ({
    pattern: patternOf(url),
    methods: new Set(),
    isPublic: false,
  }));
  for (const one of [method].flat()) path.methods.add(one);
  path.isPublic ||= config?.public === true;
  if (config?.endpoint !== undefined) endpoints[config.endpoint] = templateOf(url);
}

function patternOf(url: string): RegExp {
  const parts = url.split(/:\w+|\*/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

function templateOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, "{$1}");
}

/** Answers a request that met no route: 404, 405 with `Allow`, or the preflight of a public GET. */
export function answerUnmatched(table: RouteTable, request: FastifyRequest, reply: FastifyReply) {
  const path = servedPath(table, request.url);
  if (path === undefined || path.methods.has(request.method))
    return reply.send(refuseWith(reply, 404, "Nothing is served at this address."));
  if (request.method === "OPTIONS" && path.isPublic) return answerPreflight(reply);
  reply.header("Allow", [...path.methods].toSorted().join(", "));
  return reply.send(refuseWith(reply, 405, `${request.method} is not possible at this address.`));
}

/** The request line may hold a whole URL; its host means nothing here. */
function servedPath({ paths }: RouteTable, url: string): ServedPath | undefined {
  const path = url.replace(/^https?:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
  return paths.values().find(({ pattern }) => pattern.test(path));
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header("Access-Control-Allow-Origin", "*")
    .header("Access-Control-Allow-Methods", "GET, HEAD")
    .header("Access-Control-Allow-Headers", "Accept, If-None-Match")
    .header("Access-Control-Max-Age", PREFLIGHT_MAX_AGE_S)
    .send();
}
