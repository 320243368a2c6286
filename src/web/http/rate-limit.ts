// Refuses requests of an address beyond its limits before anything is done for them.

import type { FastifyReply, FastifyRequest } from "fastify";

import type { HttpCode } from "#core/protocol/errors.ts";
import type { ErrorBody } from "#core/resources/common.ts";

import type { Admission, Refused } from "./admission.ts";

const CODE: HttpCode = "rate_limited";
declare module "fastify" {
  interface FastifyContextConfig {
    /** Limits its callers by itself, instead of by reads and writes. */
    limitsItself?: boolean;
  }
}

const READS = ["GET", "HEAD", "OPTIONS"];

/** A hook that counts requests by address. */
export function limitRates(admission: Admission) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (request.routeOptions.config?.limitsItself === true) return done();
    const isRead = READS.includes(request.method);
    const refused = admission(isRead ? "reads_per_second" : "writes_per_second", request.raw);
    if (refused === null) done();
    else void reply.code(429).header("Retry-After", refused.retryAfterS).send(refusalBody(refused));
  };
}

/** The answer to a request beyond a limit, over HTTP and at the upgrade of a socket. */
export function refusalBody({ limit, retryAfterS }: Refused): ErrorBody {
  const seconds = retryAfterS === 1 ? "a second" : `${retryAfterS} seconds`;
  return {
    error: `Too many requests from this address. Try again in ${seconds}.`,
    code: CODE,
    limit,
  };
}
