// How much one address may request.

import type { IncomingMessage } from "node:http";

import { openThrottle } from "#base/token-bucket/token-bucket.ts";
import type { ScaleOf, Throttle } from "#base/token-bucket/token-bucket.ts";
import { SECOND } from "#base/units/time.ts";
import type { FixedLimits } from "#core/words/limits.ts";

/** Limits per address, by the names under which they are reported. */
export type AddressLimit =
  | "reads_per_second"
  | "writes_per_second"
  | "mcp_per_second"
  | "upgrades_per_second";

export type Refused = { limit: AddressLimit; retryAfterS: number };

/** Null if the request may proceed. */
export type Admission = (limit: AddressLimit, request: IncomingMessage) => Refused | null;

type AdmissionDeps = {
  limits: FixedLimits;
  /** Monotonic, in µs. */
  now: () => number;
  /** The client that a request is counted for; null for requests from inside the process. */
  callerOf: (request: IncomingMessage) => string | null;
  scaleOf?: ScaleOf;
};

export function openAdmission({
  limits,
  now,
  callerOf,
  scaleOf = () => 1,
}: AdmissionDeps): Admission {
  const throttles: Record<AddressLimit, Throttle> = {
    reads_per_second: openThrottle({
      perSecond: limits.reads_per_second,
      burst: limits.reads_burst,
    }),
    writes_per_second: openThrottle({
      perSecond: limits.writes_per_second,
      burst: limits.writes_burst,
    }),
    mcp_per_second: openThrottle({ perSecond: limits.mcp_per_second, burst: limits.mcp_burst }),
    upgrades_per_second: openThrottle({
      perSecond: limits.upgrades_per_second,
      burst: limits.upgrades_per_second,
    }),
  };
  return (limit, request) => {
    const caller = callerOf(request);
    const wait = caller === null ? 0 : throttles[limit](caller, now(), scaleOf(caller));
    return wait === 0 ? null : { limit, retryAfterS: Math.ceil(wait / SECOND) };
  };
}
