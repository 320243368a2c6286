// Headers that every answer has. They are few and constant, because every answer pays for them.

import type { FastifyReply, FastifyRequest } from "fastify";

type Done = (error?: Error) => void;

/** Scripts and styles come from files of our own; nothing may frame a page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

/**
 * No promise about TLS is among them: this process speaks plain HTTP, whoever puts TLS before it
 * may promise to keep it.
 */
const SECURITY_HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Public answers are checked again at each use, by their ETag, and any site may read them. */
const PUBLIC_HEADERS = {
  ...SECURITY_HEADERS,
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-origin": "*",
  "cache-control": "no-cache",
};

/** Others are never kept. */
const PRIVATE_HEADERS = {
  ...SECURITY_HEADERS,
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, no-store",
};

export function setHeaders(request: FastifyRequest, reply: FastifyReply, done: Done): void {
  // An address that cannot be read has no route, and no configuration either.
  const isPublic = request.routeOptions.config?.public === true;
  reply.headers(isPublic ? PUBLIC_HEADERS : PRIVATE_HEADERS);
  done();
}

/**
 * Only a successful read can be `not modified`, which the ETag plugin does not ask; and what is not
 * there is not to be remembered by search engines either.
 */
export function settleHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: Done,
): void {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || reply.statusCode !== 200) delete request.headers["if-none-match"];
  if (reply.statusCode === 404) reply.header("x-robots-tag", "noindex");
  done();
}
