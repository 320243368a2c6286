// Answers that many ask for: made once, sent again until something that they show has changed.

import { createHash } from "node:crypto";

import type { FastifyReply } from "fastify";

import { openThrottle } from "./throttle.ts";
import type { Rate } from "./throttle.ts";

/**
 * Sends what `make` makes, or what it made before if each part is still the same thing as then.
 * Under steady change an answer is made so many times a second and no more, and the last one is
 * sent meanwhile.
 */
export type KeptAnswers = (
  reply: FastifyReply,
  key: string,
  parts: readonly unknown[],
  make: () => unknown,
) => Promise<Buffer>;

type Kept = { parts: readonly unknown[]; body: Buffer; etag: string };

const JSON_TYPE = "application/json; charset=utf-8";
const MAKINGS: Rate = { perSecond: 20, burst: 20 };

/** `now` is monotonic, in µs. Keys must be few: each keeps an answer for ever. */
export function keepAnswers(now: () => number, rate = MAKINGS): KeptAnswers {
  const answers = new Map<string, Kept>();
  const makings = openThrottle(rate);
  return async (reply, key, parts, make) => {
    let kept = answers.get(key);
    const isFresh = kept?.parts.every((part, at) => part === parts[at]) ?? false;
    if (kept === undefined || (!isFresh && makings(key, now()) === 0)) {
      kept = keep(parts, await make());
      answers.set(key, kept);
    }
    reply.type(JSON_TYPE).header("etag", kept.etag);
    return kept.body;
  };
}

function keep(parts: readonly unknown[], value: unknown): Kept {
  const body = Buffer.from(JSON.stringify(value));
  const etag = `"${createHash("sha1").update(body).digest("base64")}"`;
  return { parts, body, etag };
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
function isEqual<T extends object>(one: T, other: T): boolean {
  for (const key in one) {
    const [here, there] = [one[key], other[key]];
    if (here !== there && String(here) !== String(there)) return false;
  }
  return true;
}
