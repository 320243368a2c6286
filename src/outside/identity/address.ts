// Addresses that browsers are sent to.

import { FIXED } from "#core/words/limits.ts";

import type { EmbeddedDeps } from "./deps.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]"];

export const isLoopback = ({ hostname }: URL): boolean =>
  LOOPBACK_HOSTS.includes(hostname) || hostname === "localhost";

const ACCOUNT = "/account";

/** Query parameters that survive a redirect: where the person came from, and the browser's flow. */
const KEPT_PARAMS = ["from", "sb_flow_id"];

type Settings = Pick<EmbeddedDeps, "settings">;

/**
 * Returns our account page where links in emails lead. Anyone can request an email for any address,
 * so the page is always the one that can finish its purpose, and only `KEPT_PARAMS` are taken over.
 */
export function accountTarget(parts: Settings, wanted: string | null): URL {
  return parseAccount(parts, wanted) ?? new URL(ACCOUNT, parts.settings().baseUrl);
}

/** Returns null for anything but our account page. */
function parseAccount(parts: Settings, wanted: string | null): URL | null {
  const url = parseTarget(wanted);
  if (url === null || !isOurs(parts, url) || url.pathname !== ACCOUNT) return null;
  const target = new URL(ACCOUNT, url);
  for (const name of KEPT_PARAMS) {
    const value = url.searchParams.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return target;
}

/**
 * Returns where a social sign-in leads: our account page, or on a local ladder another program of
 * this machine. Elsewhere the machine is the reader's, and others may listen there.
 */
export function socialTarget(parts: Settings, wanted: string | null): URL {
  const url = parseTarget(wanted);
  const isProgram = url !== null && isLocalHost(parts, url) && !isOurs(parts, url);
  return isProgram ? url : accountTarget(parts, wanted);
}

function parseTarget(wanted: string | null): URL | null {
  const isShort = wanted !== null && wanted.length <= FIXED.redirect_chars;
  const url = isShort ? URL.parse(wanted) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return url.username === "" && url.password === "" ? url : null;
}

const isLocalHost = ({ settings }: Settings, { hostname }: URL): boolean =>
  settings().isLocal && LOOPBACK_HOSTS.includes(hostname);

function isOurs(parts: Settings, url: URL): boolean {
  const { baseUrl, redirectOrigins } = parts.settings();
  const own = new URL(baseUrl);
  return (
    url.origin === own.origin ||
    redirectOrigins.includes(url.origin) ||
    (isLocalHost(parts, url) && url.port === own.port)
  );
}

/** Passes the result of a followed link to the script of our account page, in the fragment. */
export function tellAccountPage(target: URL, facts: Record<string, string>): void {
  target.hash = new URLSearchParams(facts).toString();
}

/** Returns the `redirect_to` of an email's link; null for one that isn't our account page. */
export const mailTarget = (parts: Settings, wanted: string | null): string | null =>
  parseAccount(parts, wanted)?.href ?? null;
