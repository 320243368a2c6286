// Headers of every response. Few and constant, because they add to the cost of every response.

import type { FastifyReply, FastifyRequest } from "fastify";

import { isLoopbackHost } from "#base/util/loopback.ts";

type Done = (error?: Error) => void;

/**
 * Scripts and styles come from this origin only. `others` are additional origins that scripts may
 * send requests to.
 */
const policyFor = (ancestors: string, others: readonly string[] = []): string =>
  [
    "default-src 'self'",
    ...(others.length > 0 ? [`connect-src 'self' ${others.join(" ")}`] : []),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join(";");

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

const NO_FRAMING = {
  ...SECURITY_HEADERS,
  "content-security-policy": policyFor("'none'"),
  "x-frame-options": "DENY",
};

const OPEN_HEADERS = {
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Retry-After",
};

const HEADERS = {
  /** Clients revalidate public responses by ETag before each use. */
  public: { ...NO_FRAMING, ...OPEN_HEADERS, "cache-control": "no-cache" },
  private: {
    ...NO_FRAMING,
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
  },
  /** Any site may frame the page, including cross-origin isolated sites. */
  framed: {
    ...SECURITY_HEADERS,
    ...OPEN_HEADERS,
    "content-security-policy": policyFor("*"),
    "cross-origin-embedder-policy": "require-corp",
    "cache-control": "no-cache",
  },
} as const;

/** Kinds of routes that `public` in the route's configuration doesn't determine. */
const KIND_BY_ROUTE: ReadonlyMap<string | undefined, keyof typeof HEADERS> = new Map([
  ["/view/:id", "framed"],
]);

export const REFUSAL_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  ...HEADERS.private,
};

export function setHeaders(request: FastifyRequest, reply: FastifyReply, done: Done): void {
  // A malformed URL has no route, so it has no configuration either.
  const { url, config } = request.routeOptions;
  const kind = KIND_BY_ROUTE.get(url) ?? (config?.public === true ? "public" : "private");
  reply.headers(HEADERS[kind]);
  if (isPersonalPath(url ?? request.url)) reply.header("vary", "Authorization");
  done();
}

/** Returns whether responses at a path depend on the authenticated caller. */
export const isPersonalPath = (path: string): boolean => PERSONAL_PATH.test(path);
const PERSONAL_PATH = /^\/api\/(?:account|admin)(?:[/?]|$)/;

const YEAR_S = 31_536_000;

/**
 * Sets HSTS if the public URL uses https (RFC 6797). HSTS applies to the whole host. It is
 * therefore omitted on a local machine or if the URL has a port, where other programs may use the
 * host without TLS, and never includes subdomains.
 */
export function strictTransportSecurity(baseUrl: string) {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== "https:" || port !== "" || isLoopbackHost(hostname)) return null;
  return (_request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    reply.header("strict-transport-security", `max-age=${YEAR_S}`);
    done();
  };
}

/** Lets all pages except framed pages send requests to an identity provider on another host. */
export function allowProvider(provider: PublicProvider, baseUrl: string) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    if (KIND_BY_ROUTE.get(request.routeOptions.url) !== "framed") {
      const { project_url: projectUrl } = provider.publicInfo();
      const policy = policyFor("'none'", [new URL(projectUrl).origin]);
      if (projectUrl !== baseUrl) reply.header("content-security-policy", policy);
    }
    done();
  };
}

type PublicProvider = { publicInfo: () => { project_url: string } };

export function allowAnyOrigin(reply: FastifyReply): void {
  reply.headers(OPEN_HEADERS);
}

export const NOT_FOUND_HEADERS = { "x-robots-tag": "noindex" };

export function setNotFoundHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: Done,
): void {
  if (reply.statusCode === 404) reply.headers(NOT_FOUND_HEADERS);
  done();
}
