// Weekly digest of an owner's bots, sent on Mondays.

import { msToInstant } from "#base/util/instant.ts";
import { DAY_MS, HOUR_MS, utcDayOf } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DueEmail } from "./due-email.ts";
import type { EmailNotificationOf } from "./email-notification.ts";

/**
 * `from` is a Monday and `to` a Sunday, such as `2026-11-29`. `end` is the instant after the week.
 */
export type Week = { from: string; to: string; end: string };

/**
 * Name of the mark stored after all digests of a week have been created. Its value is the first day
 * of the week.
 */
export const WEEKLY_DIGEST_MARK = "weekly_digest";

const DIGEST_HOUR = 9;
const DAYS_PER_WEEK = 7;
/** First Monday of 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Returns the week whose digest is due, or null if it's too early or too late to send one. */
export function digestWeek(nowMs: number): Week | null {
  const sinceDueMs = (nowMs - FIRST_MONDAY_MS - DIGEST_HOUR * HOUR_MS) % (DAYS_PER_WEEK * DAY_MS);
  if (sinceDueMs > FIXED_LIMITS.digest_h * HOUR_MS) return null;
  const endMs = nowMs - sinceDueMs - DIGEST_HOUR * HOUR_MS;
  const dayAt = (ms: number) => utcDayOf(msToInstant(ms));
  const [from, to] = [dayAt(endMs - DAYS_PER_WEEK * DAY_MS), dayAt(endMs - DAY_MS)];
  return { from, to, end: msToInstant(endMs) };
}

type BotWeekData = EmailNotificationOf<"weekly_digest">["data"]["bots"][number];

/** Returns the digest, or null if no bot played a rated match. */
export function digestEmail(
  { from, to }: Week,
  accountId: AccountId,
  botWeeks: readonly BotWeekData[],
  due: string,
): DueEmail | null {
  const bots = botWeeks.filter(({ games }) => games > 0);
  if (bots.length === 0) return null;
  const notice = { kind: "weekly_digest", data: { from, to, bots } } as const;
  return { accountId, subject: from, notice, due };
}
