import { instantToMs } from "#base/util/instant.ts";
import { SECOND_MS } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DueEmail } from "./due-email.ts";
import type { AdminWarning, EmailNotificationOf } from "./email-notification.ts";

type WarningData = EmailNotificationOf<"admin_warning">["data"];

/** Name of the mark that records when admins were last warned of this kind. */
export const warningMark = (warning: AdminWarning): string => `warned ${warning}`;

/** Name of the mark that records that admins were told their own email is held too. */
export const MAIL_STOPPED_MARK = "told mail_stopped";

/**
 * Returns whether another warning may be sent. `lastWarnedAt` is null if admins were never warned
 * of this kind.
 */
export function canWarn(lastWarnedAt: string | null, nowMs: number): boolean {
  return (
    lastWarnedAt === null ||
    instantToMs(lastWarnedAt) + FIXED_LIMITS.warning_every_s * SECOND_MS <= nowMs
  );
}

/** The subject names the hour, so that two concurrent checks send a single warning. */
export const warningEmail = (data: WarningData, accountId: AccountId, due: string): DueEmail => ({
  accountId,
  subject: `${data.warning} ${due.slice(0, "2026-11-23T12".length)}`,
  notice: { kind: "admin_warning", data },
  due,
});
