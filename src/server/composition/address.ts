// Addresses of this server: where it can be reached, and from which pages.

import type { ServeOptions } from "#server/configuration/flags.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** The public address without a trailing slash. Never taken from a request. */
export function baseUrlOf({ "base-url": given, host }: ServeOptions, port: number): string {
  if (given !== null) return given;
  if (isLoopback(host)) return `http://localhost:${port}`;
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Where bots connect. */
export const botEndpointOf = (baseUrl: string): string => socketAt(baseUrl, "/bot");

/** Where people fight house bots. */
export const playEndpointOf = (baseUrl: string): string => socketAt(baseUrl, "/play");

const socketAt = (baseUrl: string, path: string) => `${baseUrl.replace(/^http/, "ws")}${path}`;

/** Origins that count as the ladder's own. */
export function originsOf(options: ServeOptions, port: number): string[] {
  if (options["base-url"] !== null || !isLoopback(options.host)) return [baseUrlOf(options, port)];
  return ["localhost", "127.0.0.1", "[::1]"].map((name) => `http://${name}:${port}`);
}

/**
 * Whether requests are limited per address: as configured, by default only if reachable from other
 * machines.
 */
export function limitsAddresses(options: ServeOptions): boolean {
  const mode = options["rate-limits"];
  if (mode !== "auto") return mode === "on";
  return !isLoopback(new URL(baseUrlOf(options, 0)).hostname);
}

/** Why these options exclude each other, or null. */
export function optionsProblem(options: ServeOptions): string | null {
  if (options.accounts === "none" && options["admin-email"].length > 0)
    return "--admin-email needs accounts, and --accounts none has none";
  if (!options.anonymous) return null;
  const url = options["base-url"];
  const isLocal = isLoopback(options.host) && (url === null || isLoopback(new URL(url).hostname));
  return isLocal
    ? null
    : "--anonymous is for loopback addresses: --host and --base-url must be local";
}
