import type { IncomingMessage } from "node:http";

import { openTokenBucket } from "#base/token-bucket/token-bucket.ts";
import type { CallerScale, TokenBucket } from "#base/token-bucket/token-bucket.ts";
import { SECOND_US } from "#base/util/time.ts";
import type { FixedLimits } from "#core/limits/limits.ts";

/** Per-address rate limits, by the name reported in refusals. */
export type AddressLimit =
  | "reads_per_second"
  | "writes_per_second"
  | "mcp_per_second"
  | "upgrades_per_second";

export type RateLimitRefusal = { limit: AddressLimit; retryAfterS: number };

/** Counts a request. Returns null if the request may proceed, otherwise the refusal. */
export type Admission = (limit: AddressLimit, request: IncomingMessage) => RateLimitRefusal | null;

type AdmissionDeps = {
  limits: FixedLimits;
  /** Monotonic, in µs. */
  now: () => number;
  callerOf: (request: IncomingMessage) => string | null;
  scaleOf?: CallerScale;
};

export function openAdmission({
  limits,
  now,
  callerOf,
  scaleOf = () => 1,
}: AdmissionDeps): Admission {
  const throttles: Record<AddressLimit, TokenBucket> = {
    reads_per_second: openTokenBucket({
      perSecond: limits.reads_per_second,
      burst: limits.reads_burst,
    }),
    writes_per_second: openTokenBucket({
      perSecond: limits.writes_per_second,
      burst: limits.writes_burst,
    }),
    mcp_per_second: openTokenBucket({ perSecond: limits.mcp_per_second, burst: limits.mcp_burst }),
    upgrades_per_second: openTokenBucket({
      perSecond: limits.upgrades_per_second,
      burst: limits.upgrades_per_second,
    }),
  };
  return (limit, request) => {
    const caller = callerOf(request);
    const waitUs = caller === null ? 0 : throttles[limit](caller, now(), scaleOf(caller));
    return waitUs === 0 ? null : { limit, retryAfterS: Math.ceil(waitUs / SECOND_US) };
  };
}
