// An email to create, and its delivery. The subject is the key: an account gets one email of a
// category per subject.

import type { AccountId } from "#core/ids/ids.ts";

import type { MailCategory } from "./delivery.ts";
import { CATEGORY_BY_KIND } from "./email-notification.ts";
import type { EmailNotification } from "./email-notification.ts";

export type DueEmail = {
  accountId: AccountId;
  subject: string;
  notice: EmailNotification;
  /** Not sent before this UTC instant. */
  due: string;
};

/** Returns the row for the store. `at` is the UTC instant, `newId` returns a UUIDv7. */
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
