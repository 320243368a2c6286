// Addresses that browsers are sent to.

import { FIXED } from "#core/words/limits.ts";

import type { EmbeddedDeps } from "./deps.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]"];

export const isLoopback = ({ hostname }: URL): boolean =>
  LOOPBACK_HOSTS.includes(hostname) || hostname === "localhost";

const ACCOUNT = "/account";

/** Pages that somebody comes back to. Any other address of ours might lead on to a stranger. */
const PAGES = ["/", ACCOUNT, "/account/authorize", "/create-bot"];

/**
 * Where a link leads after it was used: the page asked for, if it is one of ours that expects
 * somebody, or on a local ladder of another program of this machine; else our own front page.
 * Elsewhere the machine of a link is that of its reader, and others may listen there.
 */
export function redirectTarget(parts: Pick<EmbeddedDeps, "settings">, wanted: string | null): URL {
  const { baseUrl, isLocal } = parts.settings();
  const own = new URL(baseUrl);
  const isShort = wanted !== null && wanted.length <= FIXED.redirect_chars;
  const url = isShort ? URL.parse(wanted) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return own;
  if (url.username !== "" || url.password !== "") return own;
  const isHere = LOOPBACK_HOSTS.includes(url.hostname) && isLocal;
  const mayLead = isOurs(parts, url) ? PAGES.includes(url.pathname) : isHere;
  return mayLead ? url : own;
}

function isOurs({ settings }: Pick<EmbeddedDeps, "settings">, url: URL): boolean {
  const { baseUrl, redirectOrigins, isLocal } = settings();
  const own = new URL(baseUrl);
  const isHere = LOOPBACK_HOSTS.includes(url.hostname) && isLocal;
  return (
    url.origin === own.origin ||
    redirectOrigins.includes(url.origin) ||
    (isHere && url.port === own.port)
  );
}

/**
 * Puts what a followed link says into the fragment of our account page, whose script reads it. The
 * front page gives way to that one. What is not our account page gets nothing.
 */
export function tellAccountPage(
  parts: Pick<EmbeddedDeps, "settings">,
  target: URL,
  facts: Record<string, string>,
): void {
  if (!isOurs(parts, target)) return;
  if (target.pathname === "/") target.pathname = ACCOUNT;
  if (target.pathname === ACCOUNT) target.hash = new URLSearchParams(facts).toString();
}

/** A query as handlers see it: an address that no link would lead to is not put into mails. */
export function withoutStrayTarget(
  parts: Pick<EmbeddedDeps, "settings">,
  query: URLSearchParams,
): URLSearchParams {
  const wanted = query.get(TARGET);
  if (wanted === null) return query;
  const kept = new URLSearchParams(query);
  const { href } = redirectTarget(parts, wanted);
  if (href === URL.parse(wanted)?.href) kept.set(TARGET, wanted);
  else kept.delete(TARGET);
  return kept;
}

const TARGET = "redirect_to";
