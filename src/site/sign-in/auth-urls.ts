import { isLoopbackHost } from "#base/util/loopback.ts";
import { isAppScheme } from "#core/accounts/redirect-scheme.ts";

const ACCOUNT = "/account";
const CONSENT = "/account/authorize";
/** Pages that send people here to sign in. */
const RETURN_PATHS = ["/create-bot", CONSENT, "/ladders", "/achievements", "/admin"];
const FROM_PARAMETER = "from";
const SIGN_UP_PARAMETER = "new";

export const signInPath = (from: string): string =>
  `${ACCOUNT}?${new URLSearchParams({ [FROM_PARAMETER]: from }).toString()}`;

export const signUpPath = (from: string): string => `${signInPath(from)}&${SIGN_UP_PARAMETER}=1`;

export const isSignUpAddress = (search: string): boolean =>
  new URLSearchParams(search).has(SIGN_UP_PARAMETER);

/** Returns the return page with its query, or null if it isn't an allowed page on this site. */
export function returnPath(search: string): string | null {
  const from = new URLSearchParams(search).get(FROM_PARAMETER);
  if (from === null || !from.startsWith("/")) return null;
  // URLs that start with two slashes, or with a slash and a backslash, would name a host.
  const url = URL.parse(from, "https://ladder.invalid");
  if (url === null || url.host !== "ladder.invalid" || !RETURN_PATHS.includes(url.pathname))
    return null;
  return url.pathname + url.search;
}

/**
 * Returns the query without a return to the consent page. A stranger may have requested a link that
 * is opened in another browser. The person who opens it must not be asked to authorize the
 * stranger's app.
 */
export function withoutConsent(search: string): string {
  const query = new URLSearchParams(search);
  if (returnPath(search)?.startsWith(CONSENT) !== true) return search;
  query.delete(FROM_PARAMETER);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

export type AuthCallback =
  | { kind: "none" }
  /** `flow` identifies one of several sign-ins started in this browser. */
  | { kind: "code"; code: string; flow: string | null; link: EmailLink | null }
  /** An opened email link without a code for this browser. */
  | { kind: "link"; link: EmailLink }
  | { kind: "refused"; code: string };

/** The embedded provider's result for an opened link. */
export type EmailLink = {
  purpose: "signup" | "recovery" | "email_change";
  /** Lets a browser that didn't request the email choose a password. Null for other links. */
  invite: string | null;
};

const EMAIL_LINK_PURPOSES = ["signup", "recovery", "email_change"] as const;

function parseEmailLink(fragment: URLSearchParams): EmailLink | null {
  const purpose = EMAIL_LINK_PURPOSES.find((knownPurpose) => knownPurpose === fragment.get("type"));
  return purpose === undefined ? null : { purpose, invite: fragment.get("token_hash") };
}

/** The auth library defines these parameter names. */
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
 * Splits a URL into the provider's callback and the remaining URL. Ignores an access token in the
 * fragment, because this page accepts only codes.
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
  // A stranger may have set a link's `redirect_to`, including an error. A valid code or invite
  // therefore takes precedence over the error.
  const isRefused = error !== null && code === null && (link === null || link.invite === null);
  if (isRefused) return { callback: { kind: "refused", code: error }, address: remainingAddress };
  if (code !== null)
    return { callback: { kind: "code", code, flow, link }, address: remainingAddress };
  if (link !== null) return { callback: { kind: "link", link }, address: remainingAddress };
  return { callback: { kind: "none" }, address: remainingAddress };
}

/** Reads the callback from the page's URL and immediately removes secrets from the URL. */
export function consumeArrival(): AuthCallback {
  const { callback, address } = parseAuthCallback(location.href);
  const currentAddress = location.pathname + location.search + location.hash;
  if (address !== currentAddress) history.replaceState(null, "", address);
  return callback;
}

/** An app's redirect target, as shown to people. */
export type RedirectTarget = { kind: "site" | "here" | "app"; name: string };

/** Returns null for an unsafe URL. */
export function redirectTargetOf(address: string): RedirectTarget | null {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return { kind: "site", name: url.host };
  if (url.protocol === "http:" && isLoopbackHost(url.hostname))
    return { kind: "here", name: url.host };
  return isAppScheme(url.protocol) ? { kind: "app", name: url.protocol } : null;
}
