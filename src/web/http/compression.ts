// Compresses texts on the thread pool: those that only change with settings once, on first request,
// and others when they are built.

import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";

import { qualityOf } from "./content-negotiation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** These responses only change with the settings. */
    constant?: boolean;
  }
}

type Done = (error: Error | null, payload?: unknown) => void;

/** Max cached texts, far more than exist; evicts the oldest. */
const MAX_CACHED = 1000;
const LEVEL = constants.Z_BEST_COMPRESSION;
const ENCODING_HEADER = "Accept-Encoding";
/** The encoding's name, and the wildcard. */
const ACCEPTED_ENCODINGS = ["gzip", "*"];
/** File types that are already compressed. */
const COMPRESSED_TYPES = ["application/gzip", "application/zip"];

/**
 * A hook for responses with an ETag. The compressed form gets a weak ETag (RFC 9110, section
 * 8.8.1).
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
 * Sends a text that usually changed since the client's last request, with the compressed form
 * created along with it. The text must not contain secrets, because its compressed length reveals
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

/** Compresses on the thread pool. */
export async function compressText(body: Buffer, etag: string): Promise<CompressedText> {
  return { body, compressed: await compress(body), etag };
}

const compress = promisify(gzip);

/** Returns whether the client accepts the compressed form, which has a separate ETag. */
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
