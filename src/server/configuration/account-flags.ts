// Readers of the flags that say who people are and how they get mail.

import { canonicalEmail } from "#data/access/canonical-email.ts";

import { refuse } from "./flag-values.ts";
import type { Reader } from "./flag-values.ts";

/** Nobody, the provider in this process, or the address of a project elsewhere. */
export type AccountsOption = "none" | "embedded" | `http${string}`;

/** A project may lie below a path; `/auth/v1` is added to it. */
export const accountsOption: Reader<AccountsOption> = (value) => {
  if (value === "none" || value === "embedded") return value;
  const url = URL.parse(value);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || url.search !== "" || url.hash !== "" || hasUser(url))
    return refuse("embedded, none, or the address of a project such as https://abc.supabase.co");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}` as `http${string}`;
};

const hasUser = ({ username, password }: URL): boolean => username !== "" || password !== "";

/** In their canonical spelling, in which they are compared. */
export const emails: Reader<readonly string[]> = (value) => {
  const list = value.split(",").map(canonicalEmail);
  const known = list.filter((one) => one !== null);
  return known.length === list.length
    ? known
    : refuse("addresses such as ada@example.org, with commas");
};
