// Answers that many ask for: made once, sent again until something that they show has changed.

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { FastifyReply } from "fastify";

import { openKeeper } from "#base/cache/keeper.ts";
import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { Rate } from "#base/token-bucket/token-bucket.ts";

import { jsonPieces } from "./json-pieces.ts";
import { openGate } from "./read-queue.ts";

/**
 * Sends what `make` makes, or what it made before if each part is still the same thing as then;
 * see keeper.ts. An iterator gives the JSON text itself, in pieces. Null when it made nothing.
 */
export type KeptAnswers = <V extends object | null>(
  reply: FastifyReply,
  key: string,
  parts: readonly unknown[],
  make: () => Promise<V>,
) => Promise<Buffer | Extract<V, null>>;

type Answer = { body: Buffer; etag: string };

type Keeping = {
  /**
   * Under steady change an answer is made so many times a second and no more, and the last one is
   * sent meanwhile. Null where an older answer would be a wrong one.
   */
  makings?: Rate | null;
  /** Of all answers together; the least asked for make room. */
  bytes?: number;
};

const JSON_TYPE = "application/json; charset=utf-8";
const MAKINGS: Rate = { perSecond: 20, burst: 20 };
const BYTES = 8 * 1024 * 1024;
/** What an answer takes beside its text, about. */
const ENTRY_BYTES = 1024;
/** Printed in one turn of the event loop: a fraction of a millisecond. */
const PIECE_CHARS = 64 * 1024;
/** To write so much to a socket takes a turn of its own. */
const LARGE_BYTES = 128 * 1024;

/** `now` is monotonic, in µs. */
export function keepAnswers(
  now: () => number,
  { makings = MAKINGS, bytes = BYTES }: Keeping = {},
): KeptAnswers {
  const throttle = makings === null ? null : openThrottle(makings);
  const answer = openKeeper<Answer | null>({
    most: bytes,
    sizeOf: ({ body }) => body.length + ENTRY_BYTES,
    isTooSoon: throttle === null ? undefined : (key) => throttle(key, now()) > 0,
  });
  const sending = openGate(1);
  return async <V extends object | null>(
    reply: FastifyReply,
    key: string,
    parts: readonly unknown[],
    make: () => Promise<V>,
  ) => {
    const kept = await answer(key, parts, async () => print(await make()));
    if (kept === null) return null as Extract<V, null>;
    if (kept.body.length > LARGE_BYTES) await sending(async () => {});
    reply.type(JSON_TYPE).header("etag", kept.etag);
    return kept.body;
  };
}

/** Long ones over several turns of the event loop. */
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

/** In memory of its own: small ones would else hold on to a block that they share. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Reads a list of flat objects; the very list of before as long as it reads the same. */
export function unchanged<T extends object>(read: () => readonly T[]): () => readonly T[] {
  let seen: readonly T[] | null = null;
  let last: readonly T[] = [];
  return () => {
    const next = read();
    if (next === seen && Object.isFrozen(next)) return last;
    seen = next;
    const isSame = next.length === last.length && next.every((row, at) => isEqual(row, last[at]));
    // Copies, because whoever gave the rows may change them.
    if (!isSame) last = next.map((row) => ({ ...row }));
    return last;
  };
}

/** Reads a list once in a turn of the event loop, for all that ask within it, and freezes it. */
export function oncePerTurn<T>(read: () => T[]): () => T[] {
  let known: T[] | null = null;
  return () => {
    if (known === null) {
      known = read();
      Object.freeze(known);
      setImmediate(() => (known = null));
    }
    return known;
  };
}

/** Of the same shape, as rows of one list are; lists inside are equal when their texts are. */
function isEqual<T extends object>(one: T, other: T | undefined): boolean {
  if (other === undefined) return false;
  for (const key in one) {
    const [here, there] = [one[key], other[key]];
    if (here !== there && String(here) !== String(there)) return false;
  }
  return true;
}
