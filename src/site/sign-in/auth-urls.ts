// URLs of the sign-in pages, and the redirects from them.

import { isLoopbackHost } from "#base/util/loopback.ts";
import { isAppScheme } from "#core/accounts/redirect-scheme.ts";

const ACCOUNT = "/account";
const CONSENT = "/account/authorize";
/** Pages that send people here to sign in. */
const RETURN_PATHS = ["/create-bot", CONSENT, "/ladders", "/achievements", "/admin"];
/** Query parameters for the return page and for sign-up. */
const FROM_PARAMETER = "from";
const SIGN_UP_PARAMETER = "new";

/** Sign-in URL that returns to a page. */
export const signInPath = (from: string): string =>
  `${ACCOUNT}?${new URLSearchParams({ [FROM_PARAMETER]: from }).toString()}`;

/** Sign-up URL that returns to a page. */
export const signUpPath = (from: string): string => `${signInPath(from)}&${SIGN_UP_PARAMETER}=1`;

export const isSignUpAddress = (search: string): boolean =>
  new URLSearchParams(search).has(SIGN_UP_PARAMETER);

/** The return page with its query; null unless it's one of our allowed pages. */
export function returnPath(search: string): string | null {
  const from = new URLSearchParams(search).get(FROM_PARAMETER);
  if (from === null || !from.startsWith("/")) return null;
  // A URL that starts with two slashes, or a slash and a backslash, would name a host.
  const url = URL.parse(from, "https://ladder.invalid");
  if (url === null || url.host !== "ladder.invalid" || !RETURN_PATHS.includes(url.pathname))
    return null;
  return url.pathname + url.search;
}

/**
 * The query without a consent page to go on to. A link that was opened in another browser may have
 * been requested by a stranger, whose app must not be asked about in its reader's name.
 */
export function withoutConsent(search: string): string {
  const query = new URLSearchParams(search);
  if (returnPath(search)?.startsWith(CONSENT) !== true) return search;
  query.delete(FROM_PARAMETER);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** Callback parameters of an email link or a social provider. */
export type AuthCallback =
  | { kind: "none" }
  /** `flow` identifies one of several sign-ins started in this browser. */
  | { kind: "code"; code: string; flow: string | null; link: EmailLink | null }
  /** A followed email link without a code for this browser. */
  | { kind: "link"; link: EmailLink }
  /** Provider-specific error code. */
  | { kind: "refused"; code: string };

/** The embedded provider's result for a followed link. */
export type EmailLink = {
  purpose: "signup" | "recovery" | "email_change";
  /** Lets a browser that didn't request the email choose a password. */
  invite: string | null;
};

const EMAIL_LINK_PURPOSES = ["signup", "recovery", "email_change"] as const;

function parseEmailLink(fragment: URLSearchParams): EmailLink | null {
  const purpose = EMAIL_LINK_PURPOSES.find((knownPurpose) => knownPurpose === fragment.get("type"));
  return purpose === undefined ? null : { purpose, invite: fragment.get("token_hash") };
}

/** Parameter names of the auth library. */
const FLOW_PARAMETER = "sb_flow_id";
const CONSUMED_PARAMETERS = [
  FLOW_PARAMETER,
  "code",
  "error",
  "error_code",
  "error_description",
  "sb",
];

/**
 * Splits a URL into the provider's callback and the remaining URL. An access token in the fragment
 * is ignored: this page only accepts codes.
 */
export function parseAuthCallback(address: string): { callback: AuthCallback; address: string } {
  const url = new URL(address);
  const { searchParams } = url;
  const fragment = new URLSearchParams(url.hash.slice(1));
  const error =
    searchParams.get("error_code") ??
    searchParams.get("error") ??
    fragment.get("error_code") ??
    fragment.get("error");
  const [code, flow] = [searchParams.get("code"), searchParams.get(FLOW_PARAMETER)];
  for (const name of CONSUMED_PARAMETERS) searchParams.delete(name);
  const link = parseEmailLink(fragment);
  if (fragment.has("access_token") || error !== null || link !== null) url.hash = "";
  const remainingAddress = url.pathname + url.search + url.hash;
  // A link's `redirect_to` may come from a stranger and hold an error, so what works comes first.
  const isRefused = error !== null && code === null && (link === null || link.invite === null);
  if (isRefused) return { callback: { kind: "refused", code: error }, address: remainingAddress };
  if (code !== null)
    return { callback: { kind: "code", code, flow, link }, address: remainingAddress };
  if (link !== null) return { callback: { kind: "link", link }, address: remainingAddress };
  return { callback: { kind: "none" }, address: remainingAddress };
}

/** Reads the callback from the page's URL, and immediately removes its secrets. */
export function consumeArrival(): AuthCallback {
  const { callback, address } = parseAuthCallback(location.href);
  const currentAddress = location.pathname + location.search + location.hash;
  if (address !== currentAddress) history.replaceState(null, "", address);
  return callback;
}

/** The redirect target of an app, as shown to people. */
export type RedirectTarget = { kind: "site" | "here" | "app"; name: string };

/** Null for an unsafe URL. */
export function redirectTargetOf(address: string): RedirectTarget | null {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return { kind: "site", name: url.host };
  if (url.protocol === "http:" && isLoopbackHost(url.hostname))
    return { kind: "here", name: url.host };
  return isAppScheme(url.protocol) ? { kind: "app", name: url.protocol } : null;
}
