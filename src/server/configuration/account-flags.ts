import { canonicalEmail } from "#data/credentials/canonical-email.ts";

import { rejectValue } from "./flag-values.ts";
import type { FlagParser } from "./flag-values.ts";

export type AccountsOption = "none" | "embedded" | `http${string}`;

/** Accepts a project URL with or without a path. `/auth/v1` is appended. */
export const parseAccountsOption: FlagParser<AccountsOption> = (value) => {
  if (value === "none" || value === "embedded") return value;
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || url.search !== "" || url.hash !== "" || hasUserinfo(url))
    return rejectValue("embedded, none, or a project URL such as https://abc.supabase.co");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}` as `http${string}`;
};

const hasUserinfo = ({ username, password }: URL): boolean => username !== "" || password !== "";

/** Returns addresses in the canonical form used for comparison. */
export const parseEmails: FlagParser<readonly string[]> = (value) => {
  const entries = value.split(",").map(canonicalEmail);
  const valid = entries.filter((email) => email !== null);
  return valid.length === entries.length
    ? valid
    : rejectValue("comma-separated email addresses, such as ada@example.org");
};
