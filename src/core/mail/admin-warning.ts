// What admins are warned of by mail, and how often.

import { msOf } from "#base/units/instant.ts";
import { SECOND_MS } from "#base/units/time.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { DueLetter } from "./due-letter.ts";
import type { AdminWarning, MailNoticeOf } from "./notice.ts";

type Facts = MailNoticeOf<"admin_warning">["data"];

/** The name of what is noted when admins were warned of a kind. */
export const warningMark = (warning: AdminWarning): string => `warned ${warning}`;

/** What is noted when admins were told that mail to them is held, too. */
export const STOPPED_MARK = "told mail_stopped";

/** `last` is when admins were warned of the kind, null if never. */
export function mayWarn(last: string | null, nowMs: number): boolean {
  return last === null || msOf(last) + FIXED.warning_every_s * SECOND_MS <= nowMs;
}

/** The subject is an hour, so that two looks at once warn nobody twice. */
export const warningLetter = (data: Facts, accountId: AccountId, due: string): DueLetter => ({
  accountId,
  subject: `${data.warning} ${due.slice(0, "2026-11-23T12".length)}`,
  notice: { kind: "admin_warning", data },
  due,
});
