// A letter that must be made, and how it becomes a delivery. What it is about is its key: an account
// gets one letter of a category about a subject, ever.

import type { AccountId } from "#core/words/ids.ts";

import type { MailCategory } from "./delivery.ts";
import { CATEGORY_OF } from "./notice.ts";
import type { MailNotice } from "./notice.ts";

export type DueLetter = {
  accountId: AccountId;
  subject: string;
  notice: MailNotice;
  /** It does not go out before this UTC instant. */
  due: string;
};

/** As the store takes it. `at` is the UTC instant, `newId` gives a UUIDv7. */
export const deliveryOf = (
  { notice, ...letter }: DueLetter,
  at: string,
  newId: () => string,
): DueLetter & { id: string; category: MailCategory; announcementId: null; created: string } => ({
  ...letter,
  notice,
  id: newId(),
  category: CATEGORY_OF[notice.kind],
  announcementId: null,
  created: at,
});
