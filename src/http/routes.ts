// The table of what is served: it names the endpoints, and answers wrong methods and preflights.

import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";

import type { Credential } from "#documents/credentials.ts";
import { NO_PAGE } from "#documents/guide-page.ts";
import type { Operation } from "#documents/operation.ts";

import { prefersHtml } from "./accept.ts";
import type { ApiDeps, App } from "./deps.ts";
import { refuseWith } from "./errors.ts";
import type { HttpCode } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Key of the route among the endpoints of `GET /api`, and its name in the contract. */
    endpoint?: string;
    /** What it does, in one line; every route with an endpoint has it. */
    about?: string;
    /** A GET without a credential, which any site may read. */
    public?: boolean;
    /** One of these is needed, or none where `none` is among them. */
    credentials?: readonly (Credential | "none")[];
    /** Codes and bare statuses with which this route refuses, beside what any route may answer. */
    refuses?: readonly (HttpCode | 404)[];
    /** Media types of its answers, where they are not JSON. */
    types?: readonly string[];
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
  /** What the contract describes. */
  operations: Operation[];
};

/** How long a browser may remember the answer to a preflight. */
const PREFLIGHT_MAX_AGE_S = 86_400;

/** Follows the routes as they are added; requests that meet none are answered from the table. */
export function watchRoutes(app: App): RouteTable {
  const table: RouteTable = { paths: new Map(), endpoints: {}, operations: [] };
  app.addHook("onRoute", (route) => note(table, route));
  return table;
}

function note({ paths, endpoints, operations }: RouteTable, route: RouteOptions): void {
  const { url, method, config } = route;
  const path = paths.getOrInsertComputed(url, () => ({
    pattern: patternOf(url),
    methods: new Set(),
    isPublic: false,
  }));
  for (const one of [method].flat()) path.methods.add(one);
  path.isPublic ||= config?.public === true;
  if (config?.endpoint === undefined || method === "HEAD") return;
  endpoints[config.endpoint] = templateOf(url);
  operations.push(operationOf(route, config.endpoint));
}

function operationOf({ url, method, config, schema }: RouteOptions, id: string): Operation {
  const { about, credentials = [], refuses = [], types = ["application/json"] } = config ?? {};
  if (about === undefined) throw new Error(`the route ${url} says nothing about itself`);
  return {
    id,
    method: method as Operation["method"],
    path: templateOf(url),
    about,
    credentials,
    refuses,
    types,
    schema: schema as Operation["schema"],
  };
}

function patternOf(url: string): RegExp {
  const parts = url.split(/:\w+|\*/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

function templateOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}");
}

/**
 * Answers a request that met no route: 404, as a page for those who look for one, 405 with `Allow`,
 * or the preflight of a public GET.
 */
export function answerUnmatched(
  table: RouteTable,
  frame: ApiDeps["frame"],
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const path = servedPath(table, request.url);
  if (path === undefined || path.methods.has(request.method)) {
    const refusal = refuseWith(reply, 404, "Nothing is served at this address.");
    if (!looksForPage(request)) return reply.send(refusal);
    return reply.type("text/html; charset=utf-8").send(frame(NO_PAGE));
  }
  if (request.method === "OPTIONS" && path.isPublic) return answerPreflight(reply);
  reply.header("Allow", [...path.methods].toSorted().join(", "));
  return reply.send(refuseWith(reply, 405, `${request.method} is not possible at this address.`));
}

function looksForPage({ method, url, headers }: FastifyRequest): boolean {
  return method === "GET" && !url.startsWith("/api") && prefersHtml(headers.accept);
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
