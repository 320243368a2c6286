// Texts are sent compressed to clients that accept it, and compressed on a thread of the pool: those
// that only change with an operator's settings once, when first requested, others as they are made.

import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";

import { qualityOf } from "./accept.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The answers only change with the settings while the server runs. */
    constant?: boolean;
  }
}

type Done = (error: Error | null, payload?: unknown) => void;

/** Compressed texts kept, far more than there are; the oldest is dropped first. */
const REMEMBERED = 1000;
const LEVEL = constants.Z_BEST_COMPRESSION;
const ENCODING_HEADER = "Accept-Encoding";
/** Names of the encoding, and of any encoding. */
const TAKEN = ["gzip", "*"];
/** Types of files that are compressed already. */
const PACKED = ["application/gzip", "application/zip"];

/**
 * A hook for answers that have their ETags. The compressed form has a weak one (RFC 9110, 8.8.1).
 */
export function compressConstants() {
  const compressed = new Map<string, Buffer>();
  return (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    const isDecided = String(reply.getHeader("vary")).includes(ENCODING_HEADER);
    const isMeant = isConstant(request, reply) && !isDecided && reply.hasHeader("etag");
    if (!isMeant) return done(null, payload);
    const etag = String(reply.getHeader("etag"));
    if (!isPackedFor(request, reply, etag)) return done(null, payload);
    if (reply.statusCode === 304) return done(null, payload);
    reply.header("content-encoding", "gzip");
    const known = compressed.get(etag);
    if (known !== undefined) return done(null, known);
    gzip(payload as string | Buffer, { level: LEVEL }, (error, bytes) => {
      if (error === null) {
        const [oldest] = compressed.keys();
        if (oldest !== undefined && compressed.size >= REMEMBERED) compressed.delete(oldest);
        compressed.set(etag, bytes);
      }
      done(error, bytes);
    });
  };
}

/**
 * Sends a text that has changed since most clients asked, with the form of it that was compressed
 * when it was made. It must hold no secret: the length of a compressed text tells of what is in it.
 */
export function sendPacked(reply: FastifyReply, { body, packed, etag }: PackedText): FastifyReply {
  reply.header("etag", etag);
  if (!isPackedFor(reply.request, reply, etag)) return reply.send(body);
  return reply.header("content-encoding", "gzip").send(packed);
}

export type PackedText = { body: Buffer; packed: Buffer; etag: string };

/** Compresses on a thread of the pool. */
export async function packedText(body: Buffer, etag: string): Promise<PackedText> {
  return { body, packed: await pack(body), etag };
}

const pack = promisify(gzip);

/** Whether a client takes the compressed form, which has a tag of its own. */
function isPackedFor(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  addVary(reply, ENCODING_HEADER);
  if (qualityOf(request.headers["accept-encoding"], TAKEN) === 0) return false;
  reply.header("etag", `W/${etag}`);
  return true;
}

function isConstant({ routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  const isPacked = PACKED.includes(String(reply.getHeader("content-type")));
  return (
    routeOptions.config?.constant === true && !isPacked && [200, 304].includes(reply.statusCode)
  );
}

function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? name : `${String(before)}, ${name}`);
}
