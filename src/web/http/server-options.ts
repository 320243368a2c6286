import type { ServerOptions } from "node:http";

import { SECOND_MS } from "#base/units/time.ts";
import type { FixedLimits } from "#core/words/limits.ts";

import { NODE_OPTIONS } from "./odd-requests.ts";

/** Checks for slow headers per time limit. */
const LOOKS = 4;
/** Longer than proxies keep idle connections: they must close them, not we. */
const KEEP_ALIVE_MS = 72_000;

/** Options for Node's HTTP server. */
export function serverOptions(limits: FixedLimits) {
  return {
    ...NODE_OPTIONS,
    headersTimeout: limits.headers_s * SECOND_MS,
    requestTimeout: limits.request_s * SECOND_MS,
    maxHeaderSize: limits.header_bytes,
    connectionsCheckingInterval: (limits.headers_s * SECOND_MS) / LOOKS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  } satisfies ServerOptions;
}
