// Addresses that browsers are sent to.

import type { EmbeddedDeps } from "./deps.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]"];

export const isLoopback = ({ hostname }: URL): boolean =>
  LOOPBACK_HOSTS.includes(hostname) || hostname === "localhost";

/**
 * Where a link leads after it was used: the address asked for if it is one of ours, of this
 * machine, or on the list; else our own front page.
 */
export function redirectTarget(parts: Pick<EmbeddedDeps, "settings">, wanted: string | null): URL {
  const { baseUrl, redirectOrigins } = parts.settings();
  const own = new URL(baseUrl);
  const url = wanted === null || wanted === "" ? null : URL.parse(wanted);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return own;
  if (url.username !== "" || url.password !== "") return own;
  const isOurs = url.origin === own.origin || redirectOrigins.includes(url.origin);
  return isOurs || LOOPBACK_HOSTS.includes(url.hostname) ? url : own;
}
