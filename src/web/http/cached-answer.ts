// Answers that many clients request: made once, then sent again until something they show changes.

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { FastifyReply } from "fastify";

import type { Cache } from "#base/cache/cache.ts";
import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { Rate } from "#base/token-bucket/token-bucket.ts";

import { jsonPieces } from "./json-pieces.ts";
import { openGate } from "./read-queue.ts";

/**
 * Sends what `make` makes, or its earlier result while nothing that it read has changed. `make`
 * must therefore depend only on the key and on what it reads itself. An iterator yields the JSON
 * text itself, in pieces. Null if `make` returned null.
 */
export type KeptAnswers = <V extends object | null>(
  reply: FastifyReply,
  key: string,
  make: () => Promise<V>,
) => Promise<Buffer | Extract<V, null>>;

type Answer = { body: Buffer; etag: string };

const JSON_TYPE = "application/json; charset=utf-8";
/** For answers that show constant change. */
export const LIVE_MAKINGS: Rate = { perSecond: 20, burst: 20 };
/** For answers that also take long to make. */
export const LARGE_MAKINGS: Rate = { perSecond: 0.5, burst: 1 };
/** Printed in one turn of the event loop, which takes a fraction of a millisecond. */
const PIECE_CHARS = 64 * 1024;
/** Sending a larger body gets its own turn of the event loop. */
const LARGE_BYTES = 128 * 1024;

type Keeping = {
  cache: Cache;
  /** Monotonic, in µs. */
  now: () => number;
};

/**
 * Answers of one kind. Under steady change they are made at most at the rate of `makings`, and the
 * last one is sent meanwhile. Null if an outdated answer would be wrong.
 */
export function keepAnswers(
  { cache, now }: Keeping,
  kind: string,
  makings: Rate | null,
): KeptAnswers {
  const throttle = makings === null ? null : openThrottle(makings);
  const answers = cache.shelf<Answer>(kind, {
    ...(throttle !== null && { isTooSoon: (key) => throttle(key, now()) > 0 }),
  });
  const sending = openGate(1);
  return async <V extends object | null>(
    reply: FastifyReply,
    key: string,
    make: () => Promise<V>,
  ) => {
    const kept = await answers.get(key, async () => print(await make()));
    if (kept === null) return null as Extract<V, null>;
    if (kept.body.length > LARGE_BYTES) await sending(async () => {});
    reply.type(JSON_TYPE).header("etag", kept.etag);
    return kept.body;
  };
}

/** Prints a long answer over several turns of the event loop. */
async function print(value: object | null): Promise<Answer | null> {
  if (value === null) return null;
  const pieces = value instanceof Iterator ? (value as Iterable<string>) : jsonPieces(value);
  const hash = createHash("sha1");
  const parts: Buffer[] = [];
  let text = "";
  const flush = () => {
    const part = bytesOf(text);
    hash.update(part);
    parts.push(part);
    text = "";
  };
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_CHARS) continue;
    flush();
    await nextTurn();
  }
  flush();
  const [only] = parts;
  const body = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
  return { body, etag: `"${hash.digest("base64")}"` };
}

/** In its own memory: a small pooled buffer would keep the whole shared block alive. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
