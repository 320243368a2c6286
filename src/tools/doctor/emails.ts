// Accounts that cannot sign in by email since each address has one spelling (release 0.54.0).

import { canonicalEmail } from "#data/access/canonical-email.ts";

import { warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";

/** For both databases, at the newest schema. Emails of accounts in this server's own provider. */
export const EMAILS_QUERY = `select u.email as email, coalesce(a.handle, u.id) as name
  from identity_users u
  left join accounts a on a.issuer = 'embedded' and a.subject = u.id
  where u.email is not null and u.email_confirmed_at is not null
  order by u.created_at, u.id`;

export type EmailRow = { email: string; name: string };

/** Names that are shown. */
const MOST_NAMES = 5;

const ADVICE =
  "Ask the owner which account they use, and remove the other one: bout admin accounts delete.";

/** Nothing when all addresses are in their canonical spelling. */
export function emailFindings(rows: readonly EmailRow[]): Diagnosis[] {
  const stranded = rows.filter(({ email }) => canonicalEmail(email) !== email);
  if (stranded.length === 0) return [];
  const names = stranded.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = stranded.length > MOST_NAMES ? ` and ${stranded.length - MOST_NAMES} more` : "";
  const found = `${names.join(", ")}${more} can't sign in by email: the address belongs to another account in another spelling, or isn't valid`;
  return [warning("emails", found, ADVICE)];
}
