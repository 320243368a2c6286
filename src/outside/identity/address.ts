// Addresses that browsers are sent to.

import type { EmbeddedDeps } from "./deps.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]"];

export const isLoopback = ({ hostname }: URL): boolean =>
  LOOPBACK_HOSTS.includes(hostname) || hostname === "localhost";

/**
 * Where a link leads after it was used: the address asked for if it is one of ours, or on a local
 * ladder of this machine; else our own front page. Elsewhere the machine of a link is that of its
 * reader, and others may listen there.
 */
export function redirectTarget(parts: Pick<EmbeddedDeps, "settings">, wanted: string | null): URL {
  const { baseUrl, redirectOrigins, isLocal } = parts.settings();
  const own = new URL(baseUrl);
  const url = wanted === null || wanted === "" ? null : URL.parse(wanted);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return own;
  if (url.username !== "" || url.password !== "") return own;
  const isOurs = url.origin === own.origin || redirectOrigins.includes(url.origin);
  return isOurs || (isLocal && LOOPBACK_HOSTS.includes(url.hostname)) ? url : own;
}
