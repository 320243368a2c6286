// Counts HTTP requests since the process started, by route class, status class and error code.

import type { FastifyReply, FastifyRequest } from "fastify";

import { addDuration, createDurationHistogram } from "#base/util/duration-histogram.ts";
import { increment } from "#base/util/named-counts.ts";
import { ROUTE_CLASSES } from "#core/api/process-totals.ts";
import type { RequestTotals, RouteClass, StatusClass } from "#core/api/process-totals.ts";

export type RequestCounts = {
  totals: RequestTotals;
  count: (request: FastifyRequest, reply: FastifyReply) => void;
  countError: (reply: FastifyReply, payload: unknown) => void;
};

export function openRequestCounts(): RequestCounts {
  const durations = ROUTE_CLASSES.map((name) => [name, createDurationHistogram()] as const);
  const totals: RequestTotals = {
    requests: new Map(),
    durations: Object.fromEntries(durations) as RequestTotals["durations"],
    refusals: new Map(),
  };
  return {
    totals,
    count: ({ is404, routeOptions }, reply) => {
      const route = is404 ? "none" : routeClassOf(routeOptions.url ?? "");
      increment(totals.requests, `${route} ${statusClassOf(reply.statusCode)}`);
      addDuration(totals.durations[route], reply.elapsedTime * 1000);
    },
    countError: (reply, payload) => {
      const code = reply.statusCode < 400 ? null : errorCodeIn(payload);
      if (code !== null) increment(totals.refusals, code);
    },
  };
}

const ROUTE_CLASS_PATTERNS: readonly [pattern: RegExp, name: RouteClass][] = [
  [/^\/healthz$/, "health"],
  [/^\/api\/admin(?:\/|$)/, "admin"],
  [/^\/(?:api|openapi\.json)(?:\/|$)/, "api"],
  [/^\/(?:auth|oauth|\.well-known)(?:\/|$)/, "auth"],
  [/^\/mcp(?:\/|$)/, "mcp"],
  [/^\/(?:download|replays|images|archives)(?:\/|$)/, "download"],
  [/^\/(?:assets|favicon\.)/, "asset"],
];

const routeClassOf = (url: string): RouteClass =>
  ROUTE_CLASS_PATTERNS.find(([pattern]) => pattern.test(url))?.[1] ?? "page";

const statusClassOf = (status: number): StatusClass =>
  `${Math.floor(status / 100)}xx` as StatusClass;

/** Error bodies are short. Longer bodies are pages. */
const MAX_ERROR_BYTES = 2000;
const CODE = /^[a-z][a-z0-9_]{1,63}$/;

/** Reads the error code from `code`, GoTrue's `error_code` or OAuth's `error`. */
function errorCodeIn(payload: unknown): string | null {
  const isBytes = payload instanceof Uint8Array;
  if (typeof payload !== "string" && !isBytes) return null;
  if (payload.length > MAX_ERROR_BYTES) return null;
  try {
    const body: unknown = JSON.parse(isBytes ? new TextDecoder().decode(payload) : payload);
    const { code, error_code, error } = (body ?? {}) as Record<string, unknown>;
    const errorCode = [error_code, code, error].find(
      (value) => typeof value === "string" && CODE.test(value),
    );
    return typeof errorCode === "string" ? errorCode : null;
  } catch {
    return null;
  }
}
