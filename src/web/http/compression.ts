// Compresses text bodies on the thread pool. Bodies that change only with settings are compressed
// on the first request, and all other bodies when they are built.

import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";

import { qualityOf } from "./content-negotiation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    constant?: boolean;
  }
}

type Done = (error: Error | null, payload?: unknown) => void;

/** Maximum number of cached bodies, far more than exist. The oldest is evicted first. */
const MAX_CACHED = 1000;
const LEVEL = constants.Z_BEST_COMPRESSION;
const ENCODING_HEADER = "Accept-Encoding";
const ACCEPTED_ENCODINGS = ["gzip", "*"];
const COMPRESSED_TYPES = ["application/gzip", "application/zip"];

/**
 * Returns a hook that compresses constant responses that have an ETag. The compressed form has a
 * weak ETag (RFC 9110, section 8.8.1).
 */
export function compressConstants() {
  const cache = new Map<string, Buffer>();
  return (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    const isNegotiated = String(reply.getHeader("vary")).includes(ENCODING_HEADER);
    const isEligible = isConstant(request, reply) && !isNegotiated && reply.hasHeader("etag");
    if (!isEligible) return done(null, payload);
    const etag = String(reply.getHeader("etag"));
    if (!acceptsCompressed(request, reply, etag)) return done(null, payload);
    if (reply.statusCode === 304) return done(null, payload);
    reply.header("content-encoding", "gzip");
    const cachedBytes = cache.get(etag);
    if (cachedBytes !== undefined) return done(null, cachedBytes);
    gzip(payload as string | Buffer, { level: LEVEL }, (error, bytes) => {
      if (error === null) {
        const [oldest] = cache.keys();
        if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
        cache.set(etag, bytes);
      }
      done(error, bytes);
    });
  };
}

/**
 * Sends text that was compressed when it was built, because it has usually changed since the
 * client's last request. The text must not contain secrets, because the compressed length reveals
 * content.
 */
export function sendCompressed(
  reply: FastifyReply,
  { body, compressed, etag }: CompressedText,
): FastifyReply {
  reply.header("etag", etag);
  if (!acceptsCompressed(reply.request, reply, etag)) return reply.send(body);
  return reply.header("content-encoding", "gzip").send(compressed);
}

export type CompressedText = { body: Buffer; compressed: Buffer; etag: string };

export async function compressText(body: Buffer, etag: string): Promise<CompressedText> {
  return { body, compressed: await compress(body), etag };
}

const compress = promisify(gzip);

/** Returns whether the client accepts the compressed form, and sets its ETag if so. */
function acceptsCompressed(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  addVary(reply, ENCODING_HEADER);
  if (qualityOf(request.headers["accept-encoding"], ACCEPTED_ENCODINGS) === 0) return false;
  reply.header("etag", `W/${etag}`);
  return true;
}

function isConstant({ routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  const isCompressed = COMPRESSED_TYPES.includes(String(reply.getHeader("content-type")));
  return (
    routeOptions.config?.constant === true && !isCompressed && [200, 304].includes(reply.statusCode)
  );
}

function addVary(reply: FastifyReply, name: string): void {
  const current = reply.getHeader("vary");
  reply.header("vary", current === undefined ? name : `${String(current)}, ${name}`);
}
