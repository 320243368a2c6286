import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";

import type { StatusWithoutCode, HttpCode, HttpRefusal } from "#core/protocol/errors.ts";
import type { Credential } from "#web/docs/credentials.ts";
import type { Operation } from "#web/docs/operation.ts";

import type { App } from "./deps.ts";
import { refuseWithStatus } from "./errors.ts";
import { isPersonalPath, allowAnyOrigin } from "./headers.ts";
import { parseAddress } from "./request-address.ts";
import { isApiUrl, sendPage, wantsPage } from "./wants-page.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Key of the route in `endpoints` of `GET /api`, and its operation id in the contract. */
    endpoint?: string;
    /** One line. Required for every route with an endpoint. */
    summary?: string;
    /** Marks an HTML page, which is found case-insensitively. */
    page?: boolean;
    /** Marks a GET that needs no credential and that any site may read. */
    public?: boolean;
    /** Accepted credentials. `none` makes them optional. */
    credentials?: readonly (Credential | "none")[];
    /** Required in addition to one of `credentials`. */
    alsoRequires?: Credential;
    errorCodes?: readonly (HttpRefusal | StatusWithoutCode)[];
    bodyTypes?: readonly string[];
    types?: readonly string[];
    /** Error code by malformed body field. */
    fieldCodes?: Record<string, HttpCode>;
    /** Error code for an invalid body. The error text then lists all problems. */
    bodyCode?: HttpCode;
    /** Error text by field, if the code's default text covers more than that field. */
    fieldTexts?: Record<string, string>;
    /** Accepts and discards a body of any type and encoding up to the limit. */
    isBodyUnread?: boolean;
    unsupportedTypeText?: string;
  }
}

type ServedPath = {
  pattern: RegExp;
  methods: Set<string>;
  isPublic: boolean;
  isPage: boolean;
};

export type RouteTable = {
  paths: Map<string, ServedPath>;
  /** Paths by endpoint key. Path parameters are written as `{name}`. */
  endpoints: Record<string, string>;
  operations: Operation[];
};

/** How long browsers may cache a preflight response, in seconds. */
const PREFLIGHT_MAX_AGE_S = 86_400;

/** Records routes as they are added, to respond to requests that match no route. */
export function trackRoutes(app: App): RouteTable {
  const table: RouteTable = { paths: new Map(), endpoints: {}, operations: [] };
  app.addHook("onRoute", (route) => addRoute(table, route));
  return table;
}

function addRoute({ paths, endpoints, operations }: RouteTable, route: RouteOptions): void {
  const { url, method, config } = route;
  const path = paths.getOrInsertComputed(url, () => ({
    pattern: patternOf(url),
    methods: new Set(),
    isPublic: false,
    isPage: false,
  }));
  for (const methodName of [method].flat()) path.methods.add(methodName);
  path.isPublic ||= config?.public === true;
  path.isPage ||= config?.page === true;
  if (config?.endpoint === undefined || method === "HEAD") return;
  endpoints[config.endpoint] = templateOf(url);
  operations.push(operationOf(route, config.endpoint));
}

function operationOf({ url, method, config, schema }: RouteOptions, id: string): Operation {
  const { summary, credentials = [], alsoRequires = null } = config ?? {};
  const { errorCodes = [], bodyTypes = [], types = ["application/json"] } = config ?? {};
  if (summary === undefined) throw new Error(`route ${url} has no summary`);
  return {
    id,
    method: method as Operation["method"],
    path: templateOf(url),
    summary,
    credentials,
    alsoRequires,
    errorCodes,
    bodyTypes,
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
 * Redirects to the canonical path: without a trailing slash and, for pages, in canonical case.
 * Returns whether it redirected.
 */
export function redirectToCanonical(
  table: RouteTable,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { path, query } = parseAddress(request.url);
  const hasTrailingSlash = path.length > 1 && path.endsWith("/");
  if (!hasTrailingSlash && !request.is404) return false;
  const trimmedPath = hasTrailingSlash ? path.slice(0, -1) : path;
  const isServed = servedPath(table, trimmedPath)?.methods.has(request.method) === true;
  const canonicalPath = isServed
    ? trimmedPath
    : canonicalPagePath(table, trimmedPath, request.method);
  if (canonicalPath === null || canonicalPath === path) return false;
  reply.redirect(canonicalPath + query, 308);
  return true;
}

/** Returns a page's canonical path. Path parameters keep their case. */
function canonicalPagePath({ paths }: RouteTable, path: string, method: string): string | null {
  const requestSegments = path.split("/");
  for (const [url, { isPage, methods }] of paths) {
    const patternSegments = url.split("/");
    const matchesSegment = (part: string, index: number) =>
      part.startsWith(":")
        ? requestSegments[index] !== ""
        : part === requestSegments[index]?.toLowerCase();
    if (!isPage || !methods.has(method) || patternSegments.length !== requestSegments.length)
      continue;
    if (patternSegments.every(matchesSegment))
      return patternSegments
        .map((part, index) => (part.startsWith(":") ? requestSegments[index] : part))
        .join("/");
  }
  return null;
}

export type NotFoundPage = () => Promise<Buffer>;

/**
 * Responds to a request that matched no route: with 404 (as HTML or JSON) to an unknown path, with
 * 405 and `Allow` to a wrong method, and to the preflight of a public GET.
 */
export function handleUnmatched(
  table: RouteTable,
  notFoundPage: NotFoundPage,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const address = parseAddress(request.url).path;
  if (isPersonalPath(address)) reply.header("Vary", "Authorization");
  const path = servedPath(table, address);
  if (path === undefined || path.methods.has(request.method))
    return replyNotFound(notFoundPage, request, reply);
  if (path.isPublic) allowAnyOrigin(reply);
  if (request.method === "OPTIONS" && path.isPublic) return replyPreflight(reply);
  reply.header("Allow", [...path.methods].toSorted().join(", "));
  return reply.send(
    refuseWithStatus(reply, 405, `${request.method} is not allowed at this address.`),
  );
}

function replyNotFound(notFoundPage: NotFoundPage, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refuseWithStatus(reply, 404, "Nothing is served at this address.");
  allowAnyOrigin(reply);
  if (wantsPage(request)) return sendPage(reply, notFoundPage(), refusal);
  if (!isApiUrl(request.url)) reply.header("Vary", "Accept");
  return reply.send(refusal);
}

function servedPath({ paths }: RouteTable, path: string): ServedPath | undefined {
  return paths.values().find(({ pattern }) => pattern.test(path));
}

function replyPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header("Access-Control-Allow-Methods", "GET, HEAD")
    .header("Access-Control-Allow-Headers", READ_HEADERS)
    .header("Access-Control-Max-Age", PREFLIGHT_MAX_AGE_S)
    .send();
}

/** Includes headers that reads don't need but many clients send. */
const READ_HEADERS = "Accept, Authorization, Content-Type, If-None-Match, MCP-Protocol-Version";
