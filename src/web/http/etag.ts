import { createHash } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

type Done = (error: Error | null, payload?: unknown) => void;

const TAG = /(?:W\/)?("[^"]*")/g;

/**
 * A hook that adds an ETag to successful cacheable responses. Sends 304 without a body if the
 * client has the response.
 */
export function replyIfUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  if (!isCacheable(request, reply)) return done(null, payload);
  const etag = etagOf(reply, payload);
  if (etag === null || !matchesEtag(etag, request.headers["if-none-match"]))
    return done(null, payload);
  reply.code(304).removeHeader("content-encoding");
  // For HEAD, Fastify still needs the length of the full response.
  done(null, request.method === "HEAD" ? payload : null);
}

function isCacheable({ method }: FastifyRequest, reply: FastifyReply): boolean {
  const isRead = method === "GET" || method === "HEAD";
  const allowsStorage = !String(reply.getHeader("cache-control")).includes("no-store");
  return isRead && allowsStorage && reply.statusCode === 200;
}

/** Returns null for streams. Streamed files set their own ETags. */
function etagOf(reply: FastifyReply, payload: unknown): string | null {
  const existingTag = reply.getHeader("etag");
  if (existingTag !== undefined) return String(existingTag);
  if (typeof payload !== "string" && !(payload instanceof Uint8Array)) return null;
  const etag = `"${createHash("sha1").update(payload).digest("base64")}"`;
  reply.header("etag", etag);
  return etag;
}

/** Uses weak comparison (RFC 9110, section 13.1.2). */
function matchesEtag(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.matchAll(TAG).some(([, tag]) => tag === opaque);
}
