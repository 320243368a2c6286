// Headers on every answer. They are few and constant, because every answer pays for them.

import type { FastifyReply, FastifyRequest } from "fastify";

type Done = (error?: Error) => void;

/** Scripts and styles come from our own files, and nothing may frame a page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

/**
 * No promise about TLS is among them: this process speaks plain HTTP, so the promise is left to the
 * proxy that adds TLS.
 */
const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Any site may read the answer, and these of its headers. */
const OPEN_HEADERS = {
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Retry-After",
};

/** Clients revalidate public answers by ETag at each use. */
const PUBLIC_HEADERS = { ...SECURITY_HEADERS, ...OPEN_HEADERS, "cache-control": "no-cache" };

/** Other answers are never stored. */
const PRIVATE_HEADERS = {
  ...SECURITY_HEADERS,
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
};

/** For a refusal written without Fastify. */
export const REFUSAL_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  ...PRIVATE_HEADERS,
};

export function setHeaders(request: FastifyRequest, reply: FastifyReply, done: Done): void {
  // A malformed URL has no route, and so no configuration either.
  const isPublic = request.routeOptions.config?.public === true;
  reply.headers(isPublic ? PUBLIC_HEADERS : PRIVATE_HEADERS);
  done();
}

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
