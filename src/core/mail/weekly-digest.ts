// The week of somebody's bots, on Mondays.

import { instantAt } from "#base/units/instant.ts";
import { DAY_MS, HOUR_MS, dayOf } from "#base/units/time.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { DueLetter } from "./due-letter.ts";
import type { MailNoticeOf } from "./notice.ts";

/** Its days, Monday and Sunday, as `2026-11-23`, and the instant after it. */
export type Week = { from: string; to: string; end: string };

/** What is noted once everybody's digest of a week is made is its first day. */
export const DIGEST_MARK = "weekly_digest";

const HOUR_OF_DIGESTS = 9;
const DAYS = 7;
/** The first Monday after the beginning of 1970. */
const MONDAY_MS = 4 * DAY_MS;

/** The week whose digest is due; null while it is too early, or too late. */
export function digestWeek(nowMs: number): Week | null {
  const sinceDueMs = (nowMs - MONDAY_MS - HOUR_OF_DIGESTS * HOUR_MS) % (DAYS * DAY_MS);
  if (sinceDueMs > FIXED.digest_h * HOUR_MS) return null;
  const endMs = nowMs - sinceDueMs - HOUR_OF_DIGESTS * HOUR_MS;
  const dayAt = (ms: number) => dayOf(instantAt(ms));
  const [from, to] = [dayAt(endMs - DAYS * DAY_MS), dayAt(endMs - DAY_MS)];
  return { from, to, end: instantAt(endMs) };
}

type BotWeek = MailNoticeOf<"weekly_digest">["data"]["bots"][number];

/** Null where no bot played a rated match. */
export function digestLetter(
  { from, to }: Week,
  accountId: AccountId,
  all: readonly BotWeek[],
  due: string,
): DueLetter | null {
  const bots = all.filter(({ games }) => games > 0);
  if (bots.length === 0) return null;
  const notice = { kind: "weekly_digest", data: { from, to, bots } } as const;
  return { accountId, subject: from, notice, due };
}
