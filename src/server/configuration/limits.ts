// The operator's flags laid over the table of limits.

import { limitsWith } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";

import type { ServeOptions } from "./flags.ts";

export function limitsOf(options: ServeOptions): Limits {
  return limitsWith({
    match_interval_s: options["match-interval"],
    max_concurrent: options["max-concurrent"],
    owner_concurrency: options["owner-concurrency"],
    hourly_quota: options["hourly-quota"],
    tick_s: options["tick-seconds"],
    budget_s: options["budget-seconds"],
    startup_s: options["startup-seconds"],
    reconnect_grace_s: options["reconnect-grace"],
    ping_interval_s: options["ping-interval"],
    drain_timeout_s: options["drain-timeout"],
  });
}
