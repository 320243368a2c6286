// Warning emails to admins and their frequency.

import { instantToMs } from "#base/util/instant.ts";
import { SECOND_MS } from "#base/util/time.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DueEmail } from "./due-email.ts";
import type { AdminWarning, EmailNotificationOf } from "./email-notification.ts";

type WarningData = EmailNotificationOf<"admin_warning">["data"];

/** Name of the mark stored when admins were warned of a kind. */
export const warningMark = (warning: AdminWarning): string => `warned ${warning}`;

/** Mark stored when admins were notified that their own email is held, too. */
export const MAIL_STOPPED_MARK = "told mail_stopped";

/** `lastWarnedAt` is when admins were last warned of the kind; null if never. */
export function canWarn(lastWarnedAt: string | null, nowMs: number): boolean {
  return (
    lastWarnedAt === null ||
    instantToMs(lastWarnedAt) + FIXED_LIMITS.warning_every_s * SECOND_MS <= nowMs
  );
}

/** The subject is an hour, so that two concurrent checks send one warning. */
export const warningEmail = (data: WarningData, accountId: AccountId, due: string): DueEmail => ({
  accountId,
  subject: `${data.warning} ${due.slice(0, "2026-11-23T12".length)}`,
  notice: { kind: "admin_warning", data },
  due,
});
