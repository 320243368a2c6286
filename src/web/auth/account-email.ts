import type { AccountEmail } from "#core/accounts/transactional-email.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { ApiDeps } from "#web/http/deps.ts";

/**
 * Emails an account about an event that affects it. Sends nothing if its address isn't confirmed.
 */
export function sendAccountEmail(
  { accounts }: Pick<ApiDeps, "accounts">,
  { email, emailConfirmedAt }: Pick<AccountRecord, "email" | "emailConfirmedAt">,
  emailContent: AccountEmail,
): void {
  if (email !== null && emailConfirmedAt !== null) accounts?.sendEmail(email, emailContent);
}
