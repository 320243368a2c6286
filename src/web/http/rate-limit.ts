import type { FastifyReply, FastifyRequest } from "fastify";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { HttpCode } from "#core/protocol/errors.ts";

import type { AddressLimit, Admission, RateLimitRefusal } from "./admission.ts";
import { isApiUrl, sendPage, wantsPage } from "./wants-page.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Returns whether the route limits this request itself. If so, it doesn't count as a read or a
     * write.
     */
    hasOwnRateLimit?: (request: FastifyRequest) => boolean;
    /** Limit that the route's requests count towards instead of reads or writes. */
    rateLimit?: AddressLimit;
  }
}

const CODE: HttpCode = "rate_limited";
const READ_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Returns a hook that counts requests by address. `busyPage` renders the HTML for browsers. */
export function rateLimitHook(admission: Admission, busyPage: () => Promise<Buffer>) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { hasOwnRateLimit, rateLimit } = request.routeOptions.config ?? {};
    if (hasOwnRateLimit?.(request) === true) return done();
    const defaultLimit = READ_METHODS.includes(request.method)
      ? "reads_per_second"
      : "writes_per_second";
    const refusal = admission(rateLimit ?? defaultLimit, request.raw);
    if (refusal === null) return done();
    const body = rateLimitBody(refusal);
    reply.code(429).header("Retry-After", refusal.retryAfterS);
    if (wantsPage(request)) return void sendPage(reply, busyPage(), body);
    if (!isApiUrl(request.url)) reply.header("Vary", "Accept");
    void reply.send(body);
  };
}

/** Returns the error body for an exceeded limit, for both HTTP and socket upgrades. */
export function rateLimitBody({ limit, retryAfterS }: RateLimitRefusal): ErrorBody {
  const seconds = retryAfterS === 1 ? "a second" : `${retryAfterS} seconds`;
  return {
    error: `Too many requests from this address. Try again in ${seconds}.`,
    code: CODE,
    limit,
  };
}
