// Letters about accounts go to addresses that their holders have confirmed, and to no others.

import type { AccountLetter } from "#core/accounts/letter.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { ApiDeps } from "#web/http/deps.ts";

/** Tells the holder of an account what happened to it. */
export function tellHolder(
  { accounts }: Pick<ApiDeps, "accounts">,
  { email, emailConfirmedAt }: Pick<AccountRecord, "email" | "emailConfirmedAt">,
  letter: AccountLetter,
): void {
  if (email !== null && emailConfirmedAt !== null) accounts?.sendLetter(email, letter);
}
