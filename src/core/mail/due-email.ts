// An email to create, and its delivery. `subject` is a key: an account gets one email per category
// and subject.

import type { AccountId } from "#core/ids/ids.ts";

import type { MailCategory } from "./delivery.ts";
import { CATEGORY_BY_KIND } from "./email-notification.ts";
import type { EmailNotification } from "./email-notification.ts";

export type DueEmail = {
  accountId: AccountId;
  subject: string;
  notice: EmailNotification;
  /** Earliest UTC instant at which the email is sent. */
  due: string;
};

/** Returns the row to store. `at` is the current UTC instant, and `newId` returns a UUIDv7. */
export const createDelivery = (
  { notice, ...email }: DueEmail,
  at: string,
  newId: () => string,
): DueEmail & { id: string; category: MailCategory; announcementId: null; created: string } => ({
  ...email,
  notice,
  id: newId(),
  category: CATEGORY_BY_KIND[notice.kind],
  announcementId: null,
  created: at,
});
