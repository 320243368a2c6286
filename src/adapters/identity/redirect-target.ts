import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { EmbeddedDeps } from "./identity-deps.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]"];

export const isLoopback = ({ hostname }: URL): boolean =>
  LOOPBACK_HOSTS.includes(hostname) || hostname === "localhost";

const ACCOUNT_PAGE = "/account";

/**
 * Query parameters that redirects preserve: the page the user came from and the browser's flow ID.
 */
const KEPT_PARAMS = ["from", "sb_flow_id"];

type Settings = Pick<EmbeddedDeps, "settings">;

/**
 * Returns the account page that an emailed link opens. Anyone can request an email for any address,
 * so the only parts taken from the requested target are its origin, which must be one of ours, and
 * the `KEPT_PARAMS`.
 */
export function accountTarget(services: Settings, requestedTarget: string | null): URL {
  return (
    parseAccount(services, requestedTarget) ?? new URL(ACCOUNT_PAGE, services.settings().baseUrl)
  );
}

function parseAccount(services: Settings, requestedTarget: string | null): URL | null {
  const url = parseTarget(requestedTarget);
  if (url === null || !isOwnOrigin(services, url) || url.pathname !== ACCOUNT_PAGE) return null;
  const target = new URL(ACCOUNT_PAGE, url);
  for (const name of KEPT_PARAMS) {
    const value = url.searchParams.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  return target;
}

/**
 * Returns where a social sign-in redirects: the account page or, on a local ladder, another app on
 * the same machine. On a public ladder, loopback is the user's own machine, where an unknown
 * program may be listening.
 */
export function socialTarget(services: Settings, requestedTarget: string | null): URL {
  const url = parseTarget(requestedTarget);
  const isProgram = url !== null && isLocalHost(services, url) && !isOwnOrigin(services, url);
  return isProgram ? url : accountTarget(services, requestedTarget);
}

function parseTarget(requestedTarget: string | null): URL | null {
  const isShort = requestedTarget !== null && requestedTarget.length <= FIXED_LIMITS.redirect_chars;
  const url = isShort ? URL.parse(requestedTarget) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return url.username === "" && url.password === "" ? url : null;
}

const isLocalHost = ({ settings }: Settings, { hostname }: URL): boolean =>
  settings().isLocal && LOOPBACK_HOSTS.includes(hostname);

function isOwnOrigin(services: Settings, url: URL): boolean {
  const { baseUrl, redirectOrigins } = services.settings();
  const baseAddress = new URL(baseUrl);
  return (
    url.origin === baseAddress.origin ||
    redirectOrigins.includes(url.origin) ||
    (isLocalHost(services, url) && url.port === baseAddress.port)
  );
}

/** Adds the result of a followed link to the fragment, where the account page's script reads it. */
export function addAccountPageParams(target: URL, params: Record<string, string>): void {
  target.hash = new URLSearchParams(params).toString();
}

export const mailTarget = (services: Settings, requestedTarget: string | null): string | null =>
  parseAccount(services, requestedTarget)?.href ?? null;
