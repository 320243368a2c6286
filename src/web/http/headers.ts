// Headers on every answer. They are few and constant, because every answer pays for them.

import type { FastifyReply, FastifyRequest } from "fastify";

import { isLoopback } from "#base/units/loopback.ts";

type Done = (error?: Error) => void;

/** Scripts and styles come from our own files; `others` are origins that scripts may ask too. */
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

/** Nothing may frame the answer. */
const UNFRAMED = {
  ...SECURITY_HEADERS,
  "content-security-policy": policyFor("'none'"),
  "x-frame-options": "DENY",
};

/** Any site may read the answer, and these of its headers. */
const OPEN_HEADERS = {
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Retry-After",
};

/** The table of headers: what each kind of route starts its answers with. */
const HEADERS = {
  /** Clients revalidate public answers by ETag at each use. */
  public: { ...UNFRAMED, ...OPEN_HEADERS, "cache-control": "no-cache" },
  /** Other answers are never stored. */
  private: {
    ...UNFRAMED,
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-store",
  },
  /** Any site may frame the page, also one that only frames what demands the same of its parts. */
  framed: {
    ...SECURITY_HEADERS,
    ...OPEN_HEADERS,
    "content-security-policy": policyFor("*"),
    "cross-origin-embedder-policy": "require-corp",
    "cache-control": "no-cache",
  },
} as const;

/** Routes whose kind does not follow from `public` in their configuration. */
const KIND_OF: ReadonlyMap<string | undefined, keyof typeof HEADERS> = new Map([
  ["/view/:id", "framed"],
]);

/** For a refusal written without Fastify. */
export const REFUSAL_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  ...HEADERS.private,
};

export function setHeaders(request: FastifyRequest, reply: FastifyReply, done: Done): void {
  // A malformed URL has no route, and so no configuration either.
  const { url, config } = request.routeOptions;
  const kind = KIND_OF.get(url) ?? (config?.public === true ? "public" : "private");
  reply.headers(HEADERS[kind]);
  if (isOfSomebody(url ?? request.url)) reply.header("vary", "Authorization");
  done();
}

/** Whether answers at an address are for the person who asks. */
export const isOfSomebody = (path: string): boolean => OF_SOMEBODY.test(path);
const OF_SOMEBODY = /^\/api\/(?:account|admin)(?:[/?]|$)/;

const YEAR_S = 31_536_000;

/**
 * Promises TLS where the operator says that people come by https (RFC 6797): this process itself
 * speaks plain HTTP. The promise is about a whole host. So it is not made for this machine, nor for
 * an address with a port, where other programs may use the host without TLS, nor for names below.
 */
export function promiseTls(baseUrl: string) {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== "https:" || port !== "" || isLoopback(hostname)) return null;
  return (_request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    reply.header("strict-transport-security", `max-age=${YEAR_S}`);
    done();
  };
}

/** Allows every page but framed ones to send requests to a provider on another host. */
export function allowProvider(provider: PublicProvider, baseUrl: string) {
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    if (KIND_OF.get(request.routeOptions.url) !== "framed") {
      const { project_url: project } = provider.publicInfo();
      const policy = policyFor("'none'", [new URL(project).origin]);
      if (project !== baseUrl) reply.header("content-security-policy", policy);
    }
    done();
  };
}

type PublicProvider = { publicInfo: () => { project_url: string } };

/** For the answer about an address that belongs to nothing. */
export function openToAll(reply: FastifyReply): void {
  reply.headers(OPEN_HEADERS);
}

/** 404s are not indexed. */
export const MISSING_HEADERS = { "x-robots-tag": "noindex" };

export function settleHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: Done,
): void {
  if (reply.statusCode === 404) reply.headers(MISSING_HEADERS);
  done();
}
