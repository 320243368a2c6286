import type { FastifyReply } from "fastify";

import { DAY_MS, SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuseWithCode } from "#web/http/errors.ts";

const LIMIT_TEXTS = {
  new_bots_per_day: (max: number) => `create ${max} bots`,
  agent_keys_per_day: (max: number) => `create ${max} agent keys`,
  version_notes_bytes_per_day: (max: number) => `create ${max} bytes of version notes`,
  renames_per_day: (max: number) => `change its handle and its bots' names ${max} times`,
  new_tokens_per_day: (max: number) => `replace its bots' tokens ${max} times`,
} as const;

export type DailyLimit = { limit: keyof typeof LIMIT_TEXTS; waitS: number; text: string };

export function dailyLimit(limit: DailyLimit["limit"], now: Date): DailyLimit {
  const waitS = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS);
  const text = `An account can ${LIMIT_TEXTS[limit](FIXED_LIMITS[limit])} a day. Try again after 00:00 UTC.`;
  return { limit, waitS, text };
}

const CHANGE_LIMITS = { rename: "renames_per_day", token: "new_tokens_per_day" } as const;

/**
 * Counts a change. Returns null while the account is within its daily limit, otherwise the refusal.
 */
export async function countDailyChange(
  { store, clock }: Pick<ApiDeps, "store" | "clock">,
  accountId: string,
  change: keyof typeof CHANGE_LIMITS,
): Promise<DailyLimit | null> {
  const now = clock();
  const isWithinLimit = await store.accounts.countDaily(accountId, change, now.toISOString());
  return isWithinLimit ? null : dailyLimit(CHANGE_LIMITS[change], now);
}

export function refuseDailyLimit(reply: FastifyReply, { limit, waitS, text }: DailyLimit) {
  reply.header("Retry-After", waitS);
  return { ...refuseWithCode(reply, "rate_limited", text), limit };
}
