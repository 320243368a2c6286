import type { ServerOptions } from "node:http";

import { SECOND_MS } from "#base/util/time.ts";
import type { FixedLimits } from "#core/limits/limits.ts";

import { NODE_OPTIONS } from "./malformed-requests.ts";

/** Number of times Node checks for slow headers within each timeout. */
const CHECKS_PER_TIMEOUT = 4;
/** Longer than the idle timeout of proxies, so that the proxy closes connections first. */
const KEEP_ALIVE_MS = 72_000;

export function serverOptions(limits: FixedLimits) {
  return {
    ...NODE_OPTIONS,
    headersTimeout: limits.headers_s * SECOND_MS,
    requestTimeout: limits.request_s * SECOND_MS,
    maxHeaderSize: limits.header_bytes,
    connectionsCheckingInterval: (limits.headers_s * SECOND_MS) / CHECKS_PER_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_MS,
  } satisfies ServerOptions;
}
