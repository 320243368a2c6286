// Addresses that lead to these pages and away from them.

import { isLoopback } from "#base/units/loopback.ts";

const ACCOUNT = "/account";
/** Pages that send people here to sign in. */
const ORIGINS = ["/create-bot", "/account/authorize", "/ladders", "/achievements", "/admin"];
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

/** What the address says as somebody arrives by a link of a mail or from a social provider. */
export type Arrival =
  | { kind: "none" }
  /** A browser may have begun several; `flow` tells which one it is. */
  | { kind: "code"; code: string; flow: string | null }
  /** Of the provider's codes; they differ from provider to provider. */
  | { kind: "refused"; code: string };

/** Named by the library, for the addresses that it makes. */
const FLOW = "sb_flow_id";
const TAKEN = [FLOW, "code", "error", "error_code", "error_description", "sb"];

/**
 * Reads what a provider has put into an address, and gives the address without it. A token in the
 * fragment is not read at all: this page asks for codes alone.
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
  if (fragment.has("access_token") || error !== null) url.hash = "";
  const rest = url.pathname + url.search + url.hash;
  if (error !== null) return { arrival: { kind: "refused", code: error }, address: rest };
  if (code !== null) return { arrival: { kind: "code", code, flow }, address: rest };
  return { arrival: { kind: "none" }, address: rest };
}

/** Reads the address of this page, and takes out of it at once what nobody else should see. */
export function takeArrival(): Arrival {
  const { arrival, address } = readArrival(location.href);
  const here = location.pathname + location.search + location.hash;
  if (address !== here) history.replaceState(null, "", address);
  return arrival;
}

/** Schemes that browsers act on themselves, or that are no way back to a program. */
const NO_PROGRAM =
  /^(?:http|javascript|data|file|vbscript|blob|about|ftp|wss?|mailto|tel|sms|view-source|filesystem|chrome|resource|intent):$/;

/** Where a program wants to have the browser back, as people are told. */
export type Return = { kind: "site" | "here" | "app"; name: string };

/** Null for an address that this page leads nobody to. */
export function returnOf(address: string): Return | null {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (url.protocol === "https:") return { kind: "site", name: url.host };
  if (url.protocol === "http:" && isLoopback(url.hostname)) return { kind: "here", name: url.host };
  return NO_PROGRAM.test(url.protocol) ? null : { kind: "app", name: url.protocol };
}
