// Answers to reads have ETags: a client that has an answer already is told so instead of sent it.

import { createHash } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

type Done = (error: Error | null, payload?: unknown) => void;

const TAG = /(?:W\/)?("[^"]*")/g;

/** Gives a successful, cacheable answer an ETag, and leaves out the body if the client has it. */
export function answerUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  if (!isKeepable(request, reply)) return done(null, payload);
  const etag = tagOf(reply, payload);
  if (etag === null || !isKnown(etag, request.headers["if-none-match"])) return done(null, payload);
  reply.code(304).removeHeader("content-encoding");
  // For a HEAD the framework still needs the length, which is that of the whole answer here too.
  done(null, request.method === "HEAD" ? payload : null);
}

function isKeepable({ method }: FastifyRequest, reply: FastifyReply): boolean {
  const isRead = method === "GET" || method === "HEAD";
  const isKept = !String(reply.getHeader("cache-control")).includes("no-store");
  return isRead && isKept && reply.statusCode === 200;
}

/** Null for streams: files that are sent this way have their own tags and conditions. */
function tagOf(reply: FastifyReply, payload: unknown): string | null {
  const own = reply.getHeader("etag");
  if (own !== undefined) return String(own);
  if (typeof payload !== "string" && !(payload instanceof Uint8Array)) return null;
  const etag = `"${createHash("sha1").update(payload).digest("base64")}"`;
  reply.header("etag", etag);
  return etag;
}

/** Weak comparison (RFC 9110, 13.1.2). */
function isKnown(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.matchAll(TAG).some(([, tag]) => tag === opaque);
}
