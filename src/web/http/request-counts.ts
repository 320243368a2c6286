// Counts of HTTP requests since the process started, by class of route, class of status and error
// code.

import type { FastifyReply, FastifyRequest } from "fastify";

import { addDuration, newDurationHistogram } from "#base/units/duration-histogram.ts";
import { increment } from "#base/units/named-counts.ts";
import { ROUTE_CLASSES } from "#core/operator/totals.ts";
import type { RequestTotals, RouteClass, StatusClass } from "#core/operator/totals.ts";

export type RequestCounts = {
  totals: RequestTotals;
  /** Counts an answered request. */
  count: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Counts the error code of a refusal by its body. */
  countRefusal: (reply: FastifyReply, payload: unknown) => void;
};

export function openRequestCounts(): RequestCounts {
  const durations = ROUTE_CLASSES.map((name) => [name, newDurationHistogram()] as const);
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
    countRefusal: (reply, payload) => {
      const code = reply.statusCode < 400 ? null : errorCodeIn(payload);
      if (code !== null) increment(totals.refusals, code);
    },
  };
}

/** The first that matches the pattern of a route. */
const CLASS_OF: readonly [pattern: RegExp, name: RouteClass][] = [
  [/^\/healthz$/, "health"],
  [/^\/api\/admin(?:\/|$)/, "admin"],
  [/^\/(?:api|openapi\.json)(?:\/|$)/, "api"],
  [/^\/(?:auth|oauth|\.well-known)(?:\/|$)/, "auth"],
  [/^\/mcp(?:\/|$)/, "mcp"],
  [/^\/(?:download|replays|images|archives)(?:\/|$)/, "download"],
  [/^\/(?:assets|favicon\.)/, "asset"],
];

const routeClassOf = (url: string): RouteClass =>
  CLASS_OF.find(([pattern]) => pattern.test(url))?.[1] ?? "page";

const statusClassOf = (status: number): StatusClass =>
  `${Math.floor(status / 100)}xx` as StatusClass;

/** Refusals are short; a longer body is a page. */
const LONGEST_REFUSAL = 2000;
const CODE = /^[a-z][a-z0-9_]{1,63}$/;

/** The code in the body of a refusal: ours, GoTrue's `error_code`, or the `error` of OAuth. */
function errorCodeIn(payload: unknown): string | null {
  const isBytes = payload instanceof Uint8Array;
  if (typeof payload !== "string" && !isBytes) return null;
  if (payload.length > LONGEST_REFUSAL) return null;
  try {
    const body: unknown = JSON.parse(isBytes ? new TextDecoder().decode(payload) : payload);
    const { code, error_code, error } = (body ?? {}) as Record<string, unknown>;
    const known = [error_code, code, error].find(
      (one) => typeof one === "string" && CODE.test(one),
    );
    return typeof known === "string" ? known : null;
  } catch {
    return null;
  }
}
