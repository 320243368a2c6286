// Refuses requests of an address beyond its limits before anything is done for them.

import type { FastifyReply, FastifyRequest } from "fastify";

import type { HttpCode } from "#core/protocol/errors.ts";
import type { ErrorBody } from "#core/resources/common.ts";

import type { AddressLimit, Admission, Refused } from "./admission.ts";
import { isOfApi, sendPage, wantsPage } from "./wants-page.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether it limits the callers of a request by itself, instead of by reads and writes. */
    limitsItself?: (request: FastifyRequest) => boolean;
    /** Its requests count for this limit rather than as reads or writes. */
    countsFor?: AddressLimit;
  }
}

const CODE: HttpCode = "rate_limited";
const READS = ["GET", "HEAD", "OPTIONS"];

/** A hook that counts requests by address. `busyPage` makes the HTML that browsers get. */
export function limitRates(admission: Admission, busyPage: () => Promise<Buffer>) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { limitsItself, countsFor } = request.routeOptions.config ?? {};
    if (limitsItself?.(request) === true) return done();
    const usual = READS.includes(request.method) ? "reads_per_second" : "writes_per_second";
    const refused = admission(countsFor ?? usual, request.raw);
    if (refused === null) return done();
    const body = refusalBody(refused);
    reply.code(429).header("Retry-After", refused.retryAfterS);
    if (wantsPage(request)) return void sendPage(reply, busyPage(), body);
    if (!isOfApi(request.url)) reply.header("Vary", "Accept");
    void reply.send(body);
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
