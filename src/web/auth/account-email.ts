// Sends account emails, to confirmed addresses only.

import type { AccountEmail } from "#core/accounts/transactional-email.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { ApiDeps } from "#web/http/deps.ts";

/** Emails the holder of an account about an event on it. */
export function sendAccountEmail(
  { accounts }: Pick<ApiDeps, "accounts">,
  { email, emailConfirmedAt }: Pick<AccountRecord, "email" | "emailConfirmedAt">,
  emailContent: AccountEmail,
): void {
  if (email !== null && emailConfirmedAt !== null) accounts?.sendEmail(email, emailContent);
}
