// A server's public answers over HTTP: one request at a time, each bounded in time and size.

import { setTimeout as sleep } from "node:timers/promises";

import { isTooDeep } from "#core/protocol/json-depth.ts";

/** Why answers are unavailable or cannot be understood: one sentence without its full stop. */
export class Unreadable extends Error {}

/** The interface of a compiled schema. */
type Shape<T> = { Check(value: unknown): value is T; Errors(value: unknown): ShapeError[] };
type ShapeError = { instancePath: string; message: string };

/** `atMs` is the server's time of the answer, since 1970, to the second. */
type Answer<T> = { value: T; atMs: number };

export type Source = {
  /**
   * Null for a 404.
   * @throws Unreadable
   */
  find<T>(path: string, shape: Shape<T>): Promise<Answer<T> | null>;
  /** @throws Unreadable also for a 404. */
  read<T>(path: string, shape: Shape<T>): Promise<Answer<T>>;
};

export type SourceLimits = { answerMs: number; answerBytes: number; patienceMs: number };

/** A list of 500 matches takes about 600 KB, a leaderboard of 5,000 rows about 2 MB. */
const LIMITS: SourceLimits = {
  answerMs: 30_000,
  answerBytes: 32 * 1024 * 1024,
  /** How long 429 may delay a request before the server is given up. */
  patienceMs: 120_000,
};

/** A server may close an idle connection at the moment it is used again. */
const CONNECTION_TRIES = 3;
const TRY_AGAIN_MS = 300;

const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;

/**
 * Opens the answers of the server at an address. `fetch` takes care of gzip and kept connections.
 */
export function openSource(address: URL, limits: Partial<SourceLimits> = {}): Source {
  const bounds = { ...LIMITS, ...limits };
  let hasAnswered = false;

  /** The outcome of a request by `fetch`. Only a server that answered before is asked again. */
  async function ask(url: URL): Promise<Reply> {
    for (let left = CONNECTION_TRIES; ; left -= 1) {
      try {
        const reply = await fetchReply(url, bounds);
        hasAnswered = true;
        return reply;
      } catch (error) {
        const isLost = error instanceof TypeError && hasAnswered && left > 1;
        if (!isLost) throw unreadable(url, error, bounds);
        await sleep(TRY_AGAIN_MS);
      }
    }
  }

  async function askPatiently(url: URL): Promise<Reply> {
    let waited = 0;
    for (;;) {
      const reply = await ask(url);
      if (reply.status !== TOO_MANY_REQUESTS) return reply;
      const wait = Math.max(1, Number(reply.retryAfter) || 0) * 1000;
      waited += wait;
      if (waited > bounds.patienceMs)
        throw new Unreadable(`${url.pathname} is refused: too many requests from this address`);
      await sleep(wait);
    }
  }

  async function find<T>(path: string, shape: Shape<T>): Promise<Answer<T> | null> {
    const url = new URL(path, address);
    const reply = await askPatiently(url);
    if (reply.status === NOT_FOUND) return null;
    if (reply.status !== 200)
      throw new Unreadable(`the server answers ${reply.status} for ${url.pathname}`);
    return { value: shaped(url, reply.text, shape), atMs: reply.atMs };
  }

  async function read<T>(path: string, shape: Shape<T>): Promise<Answer<T>> {
    const answer = await find(path, shape);
    if (answer !== null) return answer;
    const { pathname, search } = new URL(path, address);
    throw new Unreadable(`the server has nothing at ${pathname}${search}`);
  }

  return { find, read };
}

type Reply = { status: number; retryAfter: string | null; atMs: number; text: string };

async function fetchReply(url: URL, bounds: SourceLimits): Promise<Reply> {
  const signal = AbortSignal.timeout(bounds.answerMs);
  const { status, headers, body } = await fetch(url, {
    headers: { accept: "application/json" },
    signal,
  });
  const text = await textOf(url, body, bounds);
  const atMs = Date.parse(headers.get("date") ?? "");
  return {
    status,
    retryAfter: headers.get("retry-after"),
    atMs: Number.isNaN(atMs) ? Date.now() : atMs,
    text,
  };
}

/** Counts unpacked bytes: a small answer may be large inside. */
async function textOf(url: URL, body: Response["body"], bounds: SourceLimits): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > bounds.answerBytes)
      throw new Unreadable(
        `the answer for ${url.pathname} is longer than ${bounds.answerBytes} bytes`,
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function unreadable(url: URL, error: unknown, { answerMs }: SourceLimits): Unreadable {
  if (error instanceof Unreadable) return error;
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError")
    return new Unreadable(`the server does not answer ${url.pathname} within ${answerMs / 1000} s`);
  return new Unreadable(`${url.origin} cannot be reached: ${cause?.code ?? message}`);
}

function shaped<T>(url: URL, text: string, shape: Shape<T>): T {
  if (isTooDeep(text)) throw new Unreadable(`the answer for ${url.pathname} is nested too deeply`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable(`the answer for ${url.pathname} is not JSON; is this a ladder`);
  }
  if (shape.Check(value)) return value;
  const [fault] = shape.Errors(value);
  throw new Unreadable(
    `the answer for ${url.pathname} is not understood: ${fault?.instancePath} ${fault?.message}`,
  );
}
