// Limits on how much an account creates or changes in a UTC day.

import type { FastifyReply } from "fastify";

import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";

const WHAT = {
  new_bots_per_day: (most: number) => `create ${most} bots`,
  agent_keys_per_day: (most: number) => `create ${most} agent keys`,
  version_notes_bytes_per_day: (most: number) => `create ${most} bytes of version notes`,
  renames_per_day: (most: number) => `change its handle and its bots' names ${most} times`,
  new_tokens_per_day: (most: number) => `replace its bots' tokens ${most} times`,
} as const;

/** A refusal until the next UTC day. */
export type DailyLimit = { limit: keyof typeof WHAT; waitS: number; text: string };

export function dailyLimit(limit: DailyLimit["limit"], now: Date): DailyLimit {
  const waitS = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS);
  const text = `An account can ${WHAT[limit](FIXED[limit])} a day. Try again after 00:00 UTC.`;
  return { limit, waitS, text };
}

const CHANGES = { rename: "renames_per_day", token: "new_tokens_per_day" } as const;

/** Counts a change by an account; null if it is within the daily limit. */
export async function countChange(
  { store, clock }: Pick<ApiDeps, "store" | "clock">,
  accountId: string,
  change: keyof typeof CHANGES,
): Promise<DailyLimit | null> {
  const now = clock();
  const isWithin = await store.accounts.countDaily(accountId, change, now.toISOString());
  return isWithin ? null : dailyLimit(CHANGES[change], now);
}

export function refuseDaily(reply: FastifyReply, { limit, waitS, text }: DailyLimit) {
  reply.header("Retry-After", waitS);
  return { ...refuse(reply, "rate_limited", text), limit };
}
