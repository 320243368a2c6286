// Finds accounts that can't sign in by email because their address was stored before release
// 0.54.0, which introduced a canonical spelling.

import { canonicalEmail } from "#data/credentials/canonical-email.ts";

import { warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

/**
 * Selects emails from the embedded identity provider. Works on both databases, at the newest
 * schema.
 */
export const EMAILS_QUERY = `select u.email as email, coalesce(a.handle, u.id) as name
  from identity_users u
  left join accounts a on a.issuer = 'embedded' and a.subject = u.id
  where u.email is not null and u.email_confirmed_at is not null
  order by u.created_at, u.id`;

export type EmailRow = { email: string; name: string };

const MAX_LISTED_NAMES = 5;

const ADVICE =
  "Ask the owner which account they use, and delete the other one: bout admin accounts delete.";

export function emailFindings(rows: readonly EmailRow[]): Diagnosis[] {
  const blockedAccounts = rows.filter(({ email }) => canonicalEmail(email) !== email);
  if (blockedAccounts.length === 0) return [];
  const names = blockedAccounts.slice(0, MAX_LISTED_NAMES).map(({ name }) => name);
  const moreText =
    blockedAccounts.length > MAX_LISTED_NAMES
      ? ` and ${blockedAccounts.length - MAX_LISTED_NAMES} more`
      : "";
  const found = `${names.join(", ")}${moreText} can't sign in by email: the address belongs to another account in another spelling, or isn't valid`;
  return [warnDiagnosis("emails", found, ADVICE)];
}
