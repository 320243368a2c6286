// Addresses that lead to these pages and away from them.

import { isLoopback } from "#base/units/loopback.ts";
import { isAppScheme } from "#core/accounts/redirect-scheme.ts";

const ACCOUNT = "/account";
const CONSENT = "/account/authorize";
/** Pages that send people here to sign in. */
const ORIGINS = ["/create-bot", CONSENT, "/ladders", "/achievements", "/admin"];
/** The parameter with the page that somebody came from, and the one of those who are new. */
const FROM = "from";
const NEW = "new";

/** Where somebody signs in who then comes back to a page. */
export const signInPath = (from: string): string =>
  `${ACCOUNT}?${new URLSearchParams({ [FROM]: from }).toString()}`;

/** Where somebody signs up who then comes back to a page. */
export const signUpPath = (from: string): string => `${signInPath(from)}&${NEW}=1`;

export const isNew = (search: string): boolean => new URLSearchParams(search).has(NEW);

/** The page that somebody came from, with its query; null unless it is one of ours that may. */
export function cameFrom(search: string): string | null {
  const from = new URLSearchParams(search).get(FROM);
  if (from === null || !from.startsWith("/")) return null;
  // What begins with two slashes, or with a slash and a backslash, would name a host.
  const url = URL.parse(from, "https://ladder.invalid");
  if (url === null || url.host !== "ladder.invalid" || !ORIGINS.includes(url.pathname)) return null;
  return url.pathname + url.search;
}

/**
 * The query without a consent page to go on to. A link that was opened in another browser may have
 * been requested by a stranger, whose app must not be asked about in its reader's name.
 */
export function withoutConsent(search: string): string {
  const query = new URLSearchParams(search);
  if (cameFrom(search)?.startsWith(CONSENT) !== true) return search;
  query.delete(FROM);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** What the address says as somebody arrives by a link of a mail or from a social provider. */
export type Arrival =
  | { kind: "none" }
  /** A browser may have begun several; `flow` tells which one it is. */
  | { kind: "code"; code: string; flow: string | null; link: MailLink | null }
  /** The link of an email that was followed, without a code for the browser that asked for it. */
  | { kind: "link"; link: MailLink }
  /** Of the provider's codes; they differ from provider to provider. */
  | { kind: "refused"; code: string };

/** The embedded provider's result for a followed link. */
export type MailLink = {
  purpose: "signup" | "recovery" | "email_change";
  /** With it a browser that did not ask for the email can choose a password. */
  invite: string | null;
};

const MAIL_PURPOSES = ["signup", "recovery", "email_change"] as const;

function linkOf(fragment: URLSearchParams): MailLink | null {
  const purpose = MAIL_PURPOSES.find((known) => known === fragment.get("type"));
  return purpose === undefined ? null : { purpose, invite: fragment.get("token_hash") };
}

/** Named by the library, for the addresses that it makes. */
const FLOW = "sb_flow_id";
const TAKEN = [FLOW, "code", "error", "error_code", "error_description", "sb"];

/**
 * Reads what a provider has put into an address, and gives the address without it. An access token
 * in the fragment is not read: this page asks for codes alone.
 */
export function readArrival(address: string): { arrival: Arrival; address: string } {
  const url = new URL(address);
  const { searchParams } = url;
  const fragment = new URLSearchParams(url.hash.slice(1));
  const error =
    searchParams.get("error_code") ??
    searchParams.get("error") ??
    fragment.get("error_code") ??
    fragment.get("error");
  const [code, flow] = [searchParams.get("code"), searchParams.get(FLOW)];
  for (const name of TAKEN) searchParams.delete(name);
  const link = linkOf(fragment);
  if (fragment.has("access_token") || error !== null || link !== null) url.hash = "";
  const rest = url.pathname + url.search + url.hash;
  // A link's `redirect_to` may come from a stranger and hold an error, so what works comes first.
  const isRefused = error !== null && code === null && (link === null || link.invite === null);
  if (isRefused) return { arrival: { kind: "refused", code: error }, address: rest };
  if (code !== null) return { arrival: { kind: "code", code, flow, link }, address: rest };
  if (link !== null) return { arrival: { kind: "link", link }, address: rest };
  return { arrival: { kind: "none" }, address: rest };
}

/** Reads the address of this page, and takes out of it at once what nobody else should see. */
export function takeArrival(): Arrival {
  const { arrival, address } = readArrival(location.href);
  const here = location.pathname + location.search + location.hash;
  if (address !== here) history.replaceState(null, "", address);
  return arrival;
}

/** Where a program wants to have the browser back, as people are told. */
export type Return = { kind: "site" | "here" | "app"; name: string };

/** Null for an address that this page leads nobody to. */
export function returnOf(address: string): Return | null {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return { kind: "site", name: url.host };
  if (url.protocol === "http:" && isLoopback(url.hostname)) return { kind: "here", name: url.host };
  return isAppScheme(url.protocol) ? { kind: "app", name: url.protocol } : null;
}
