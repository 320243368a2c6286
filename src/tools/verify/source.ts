// Reads a server's public responses, one request at a time, with limits on time and size.

import { setTimeout as sleep } from "node:timers/promises";

import { isJsonTooDeep } from "#core/protocol/json-depth.ts";

/** Why a response is unavailable or invalid: one sentence without the full stop. */
export class UnreadableSourceError extends Error {}

type ResponseValidator<T> = {
  Check(value: unknown): value is T;
  Errors(value: unknown): ValidationIssue[];
};
type ValidationIssue = { instancePath: string; message: string };

/**
 * `atMs` is the time of the response by the server's clock, in ms since 1970, accurate to the
 * second.
 */
type SourceResponse<T> = { value: T; atMs: number };

export type LadderSource = {
  /**
   * Null for a 404.
   * @throws Unreadable
   */
  readIfPresent<T>(
    path: string,
    validator: ResponseValidator<T>,
  ): Promise<SourceResponse<T> | null>;
  /** @throws Unreadable also for a 404. */
  readRequired<T>(path: string, validator: ResponseValidator<T>): Promise<SourceResponse<T>>;
};

export type LadderSourceLimits = { timeoutMs: number; maxBytes: number; maxWaitMs: number };

/** 500 matches take about 600 KB, a leaderboard with 5,000 rows about 2 MB. */
const DEFAULT_SOURCE_LIMITS: LadderSourceLimits = {
  timeoutMs: 30_000,
  maxBytes: 32 * 1024 * 1024,
  /** Maximum total delay that 429 responses may cause for a request. */
  maxWaitMs: 120_000,
};

/** A server may close an idle connection just as it is reused. */
const MAX_CONNECTION_TRIES = 3;
const RETRY_DELAY_MS = 300;

const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;

/** `fetch` handles gzip and keep-alive connections. */
export function createLadderSource(
  address: URL,
  limits: Partial<LadderSourceLimits> = {},
): LadderSource {
  const sourceLimits = { ...DEFAULT_SOURCE_LIMITS, ...limits };
  let hasResponded = false;

  /** Retries only if the server has responded before. */
  async function fetchWithRetry(url: URL): Promise<Reply> {
    for (let remainingTries = MAX_CONNECTION_TRIES; ; remainingTries -= 1) {
      try {
        const reply = await fetchReply(url, sourceLimits);
        hasResponded = true;
        return reply;
      } catch (error) {
        const isConnectionLost = error instanceof TypeError && hasResponded && remainingTries > 1;
        if (!isConnectionLost) throw toUnreadableError(url, error, sourceLimits);
        await sleep(RETRY_DELAY_MS);
      }
    }
  }

  async function fetchWithinRateLimit(url: URL): Promise<Reply> {
    let waitedMs = 0;
    for (;;) {
      const reply = await fetchWithRetry(url);
      if (reply.status !== TOO_MANY_REQUESTS) return reply;
      const waitMs = Math.max(1, Number(reply.retryAfter) || 0) * 1000;
      waitedMs += waitMs;
      if (waitedMs > sourceLimits.maxWaitMs)
        throw new UnreadableSourceError(
          `${url.pathname} was rejected: too many requests from this address`,
        );
      await sleep(waitMs);
    }
  }

  async function readIfPresent<T>(
    path: string,
    validator: ResponseValidator<T>,
  ): Promise<SourceResponse<T> | null> {
    const url = new URL(path, address);
    const reply = await fetchWithinRateLimit(url);
    if (reply.status === NOT_FOUND) return null;
    if (reply.status !== 200)
      throw new UnreadableSourceError(
        `the server responded with status ${reply.status} for ${url.pathname}`,
      );
    return { value: parseResponse(url, reply.text, validator), atMs: reply.atMs };
  }

  async function readRequired<T>(
    path: string,
    validator: ResponseValidator<T>,
  ): Promise<SourceResponse<T>> {
    const response = await readIfPresent(path, validator);
    if (response !== null) return response;
    const { pathname, search } = new URL(path, address);
    throw new UnreadableSourceError(
      `the server responded with status 404 for ${pathname}${search}`,
    );
  }

  return { readIfPresent, readRequired };
}

type Reply = { status: number; retryAfter: string | null; atMs: number; text: string };

async function fetchReply(url: URL, sourceLimits: LadderSourceLimits): Promise<Reply> {
  const signal = AbortSignal.timeout(sourceLimits.timeoutMs);
  const { status, headers, body } = await fetch(url, {
    headers: { accept: "application/json" },
    signal,
  });
  const text = await readBoundedText(url, body, sourceLimits);
  const atMs = Date.parse(headers.get("date") ?? "");
  return {
    status,
    retryAfter: headers.get("retry-after"),
    atMs: Number.isNaN(atMs) ? Date.now() : atMs,
    text,
  };
}

/** Counts decompressed bytes, because a small response may expand to a large one. */
async function readBoundedText(
  url: URL,
  body: Response["body"],
  sourceLimits: LadderSourceLimits,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > sourceLimits.maxBytes)
      throw new UnreadableSourceError(
        `the response for ${url.pathname} is larger than ${sourceLimits.maxBytes} bytes`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toUnreadableError(
  url: URL,
  error: unknown,
  { timeoutMs }: LadderSourceLimits,
): UnreadableSourceError {
  if (error instanceof UnreadableSourceError) return error;
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError")
    return new UnreadableSourceError(
      `no response for ${url.pathname} within ${timeoutMs / 1000} s`,
    );
  return new UnreadableSourceError(`${url.origin} can't be reached: ${cause?.code ?? message}`);
}

function parseResponse<T>(url: URL, text: string, validator: ResponseValidator<T>): T {
  if (isJsonTooDeep(text))
    throw new UnreadableSourceError(`the response for ${url.pathname} is nested too deeply`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableSourceError(
      `the response for ${url.pathname} is not JSON. Check that it is a Bout server`,
    );
  }
  if (validator.Check(value)) return value;
  const [validationIssue] = validator.Errors(value);
  throw new UnreadableSourceError(
    `the response for ${url.pathname} is invalid: ${validationIssue?.instancePath} ${validationIssue?.message}`,
  );
}
