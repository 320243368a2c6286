// Caches responses that many clients request, until the data they show changes.

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { FastifyReply } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import { openTokenBucket } from "#base/token-bucket/token-bucket.ts";
import type { Rate } from "#base/token-bucket/token-bucket.ts";

import { jsonChunks } from "./json-chunks.ts";
import { openSemaphore } from "./read-queue.ts";

/**
 * Sends the result of `load`, from the cache if nothing that `load` read has changed. `load` may
 * depend only on the key and on tracked reads. If it returns an iterator, the iterator yields JSON
 * text in chunks. Returns null if `load` does.
 */
export type ResponseCache = <V extends object | null>(
  reply: FastifyReply,
  key: string,
  load: () => Promise<V>,
) => Promise<Buffer | Extract<V, null>>;

type CachedResponse = { body: Buffer; etag: string };

const JSON_TYPE = "application/json; charset=utf-8";
export const LIVE_REFRESH_RATE: Rate = { perSecond: 20, burst: 20 };
/** Rebuild rate for constantly changing responses that are expensive to build. */
export const LARGE_REFRESH_RATE: Rate = { perSecond: 0.5, burst: 1 };
/** Characters serialised per turn of the event loop. Takes a fraction of a millisecond. */
const CHUNK_CHARS = 64 * 1024;
/** Bodies over this size are sent in separate turns of the event loop. */
const LARGE_BYTES = 128 * 1024;

type ResponseCacheDeps = {
  cache: Cache;
  /** Monotonic, in µs. */
  now: () => number;
};

/**
 * Returns a cache for one kind of response. Under constant change, responses are rebuilt at most at
 * `refreshRate`, and stale responses are sent in between. Pass null if a stale response would be
 * wrong.
 */
export function responseCache(
  { cache, now }: ResponseCacheDeps,
  kind: string,
  refreshRate: Rate | null,
): ResponseCache {
  const throttle = refreshRate === null ? null : openTokenBucket(refreshRate);
  const responses = cache.namespace<CachedResponse>(kind, {
    ...(throttle !== null && { isTooSoon: (key) => throttle(key, now()) > 0 }),
  });
  const sendSemaphore = openSemaphore(1);
  return async <V extends object | null>(
    reply: FastifyReply,
    key: string,
    load: () => Promise<V>,
  ) => {
    const response = await responses.get(key, async () => serialize(await load()));
    if (response === null) return null as Extract<V, null>;
    if (response.body.length > LARGE_BYTES) await sendSemaphore(async () => {});
    reply.type(JSON_TYPE).header("etag", response.etag);
    return response.body;
  };
}

/** Serialises a long response over several turns of the event loop. */
async function serialize(value: object | null): Promise<CachedResponse | null> {
  if (value === null) return null;
  const chunks = value instanceof Iterator ? (value as Iterable<string>) : jsonChunks(value);
  const hash = createHash("sha1");
  const buffers: Buffer[] = [];
  let text = "";
  const flush = () => {
    const buffer = bytesOf(text);
    hash.update(buffer);
    buffers.push(buffer);
    text = "";
  };
  for (const chunk of chunks) {
    text += chunk;
    if (text.length < CHUNK_CHARS) continue;
    flush();
    await nextTurn();
  }
  flush();
  const [singleBuffer] = buffers;
  const body =
    singleBuffer !== undefined && buffers.length === 1 ? singleBuffer : Buffer.concat(buffers);
  return { body, etag: `"${hash.digest("base64")}"` };
}

/** Allocates separate memory. A small buffer from Node's pool would keep its whole block alive. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
