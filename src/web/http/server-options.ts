import type { ServerOptions } from "node:http";

import { SECOND_MS } from "#base/units/time.ts";
import type { FixedLimits } from "#core/words/limits.ts";

import { NODE_OPTIONS } from "./odd-requests.ts";

/** How often the server looks for slow headers within the time that they have. */
const LOOKS = 4;
/** Longer than proxies keep a connection that does nothing: they are to close it, not we. */
const KEEP_ALIVE_MS = 72_000;

/** What the HTTP server of Node is given. */
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
