// The table of routes. It names the endpoints, and answers wrong methods and preflights.

import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";

import type { BareStatus, HttpCode, HttpRefusal } from "#core/protocol/errors.ts";
import type { Credential } from "#web/docs/credentials.ts";
import type { Operation } from "#web/docs/operation.ts";

import type { App } from "./deps.ts";
import { refuseWith } from "./errors.ts";
import { isOfSomebody, openToAll } from "./headers.ts";
import { addressOf } from "./request-address.ts";
import { isOfApi, sendPage, wantsPage } from "./wants-page.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Key of the route among the endpoints of `GET /api`, and its name in the contract. */
    endpoint?: string;
    /** What it does, in one line; required of every route with an endpoint. */
    about?: string;
    /** An HTML page: its address is found in any letter case. */
    page?: boolean;
    /** A GET without a credential that any site may read. */
    public?: boolean;
    /** One of these is needed, or none if `none` is among them. */
    credentials?: readonly (Credential | "none")[];
    /** Needed in addition to any of those. */
    needsToo?: Credential;
    /** Codes and bare statuses of this route's refusals, in addition to those of any route. */
    refuses?: readonly (HttpRefusal | BareStatus)[];
    /** Media types of its body, which is a file, if not JSON. */
    takes?: readonly string[];
    /** Media types of its answers, if not JSON. */
    types?: readonly string[];
    /** Code of the refusal if this field of the body is malformed. */
    fieldCodes?: Record<string, HttpCode>;
    /** Code of the refusal if anything is wrong with the body: then all of it is told. */
    bodyCode?: HttpCode;
    /** What it says then, where the code's own text is about more than this field. */
    fieldTexts?: Record<string, string>;
    /** A body of any type and encoding is accepted up to the limit, and dropped. */
    isBodyUnread?: boolean;
    /** What a body of a media type that the route does not take is told, if it takes no JSON. */
    mediaText?: string;
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
  /** Paths by endpoint key, with `{name}` for a path parameter. */
  endpoints: Record<string, string>;
  /** The operations that the contract describes. */
  operations: Operation[];
};

/** How long a browser may cache the answer to a preflight. */
const PREFLIGHT_MAX_AGE_S = 86_400;

/** Follows routes as they are added. Requests that match none are answered from the table. */
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
    isPage: false,
  }));
  for (const one of [method].flat()) path.methods.add(one);
  path.isPublic ||= config?.public === true;
  path.isPage ||= config?.page === true;
  if (config?.endpoint === undefined || method === "HEAD") return;
  endpoints[config.endpoint] = templateOf(url);
  operations.push(operationOf(route, config.endpoint));
}

function operationOf({ url, method, config, schema }: RouteOptions, id: string): Operation {
  const { about, credentials = [], needsToo = null } = config ?? {};
  const { refuses = [], takes = [], types = ["application/json"] } = config ?? {};
  if (about === undefined) throw new Error(`the route ${url} says nothing about itself`);
  return {
    id,
    method: method as Operation["method"],
    path: templateOf(url),
    about,
    credentials,
    needsToo,
    refuses,
    takes,
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
 * Whether a request was redirected to the address that is meant: without its trailing slash, and
 * that of a page in its own letter case.
 */
export function isLedOn(table: RouteTable, request: FastifyRequest, reply: FastifyReply): boolean {
  const { path, query } = addressOf(request.url);
  const isSlashed = path.length > 1 && path.endsWith("/");
  if (!isSlashed && !request.is404) return false;
  const shorter = isSlashed ? path.slice(0, -1) : path;
  const isServed = servedPath(table, shorter)?.methods.has(request.method) === true;
  const meant = isServed ? shorter : pageAddress(table, shorter, request.method);
  if (meant === null || meant === path) return false;
  reply.redirect(meant + query, 308);
  return true;
}

/** The address of the page that is meant in whatever letter case; names in it stay as they are. */
function pageAddress({ paths }: RouteTable, path: string, method: string): string | null {
  const parts = path.split("/");
  for (const [url, { isPage, methods }] of paths) {
    const own = url.split("/");
    const isMeant = (part: string, at: number) =>
      part.startsWith(":") ? parts[at] !== "" : part === parts[at]?.toLowerCase();
    if (!isPage || !methods.has(method) || own.length !== parts.length) continue;
    if (own.every(isMeant))
      return own.map((part, at) => (part.startsWith(":") ? parts[at] : part)).join("/");
  }
  return null;
}

/** The HTML of the page for an address that belongs to nothing. */
export type NoPage = () => Promise<Buffer>;

/**
 * Answers a request that matched no route: a 404, as a page if the client prefers one; a 405 with
 * `Allow`; or the preflight of a public GET.
 */
export function answerUnmatched(
  table: RouteTable,
  noPage: NoPage,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const address = addressOf(request.url).path;
  if (isOfSomebody(address)) reply.header("Vary", "Authorization");
  const path = servedPath(table, address);
  if (path === undefined || path.methods.has(request.method))
    return answerMissing(noPage, request, reply);
  if (path.isPublic) openToAll(reply);
  if (request.method === "OPTIONS" && path.isPublic) return answerPreflight(reply);
  reply.header("Allow", [...path.methods].toSorted().join(", "));
  return reply.send(refuseWith(reply, 405, `${request.method} is not possible at this address.`));
}

function answerMissing(noPage: NoPage, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refuseWith(reply, 404, "Nothing is served at this address.");
  openToAll(reply);
  if (wantsPage(request)) return sendPage(reply, noPage(), refusal);
  if (!isOfApi(request.url)) reply.header("Vary", "Accept");
  return reply.send(refusal);
}

function servedPath({ paths }: RouteTable, path: string): ServedPath | undefined {
  return paths.values().find(({ pattern }) => pattern.test(path));
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header("Access-Control-Allow-Methods", "GET, HEAD")
    .header("Access-Control-Allow-Headers", READ_HEADERS)
    .header("Access-Control-Max-Age", PREFLIGHT_MAX_AGE_S)
    .send();
}

/** Includes headers that no read needs but many clients send anyway. */
const READ_HEADERS = "Accept, Authorization, Content-Type, If-None-Match, MCP-Protocol-Version";
