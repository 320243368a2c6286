// Addresses of this server: where it can be reached, and from which pages.

import { isLoopback, LOOPBACK_HOSTS } from "#base/units/loopback.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import type { MailPlace } from "#site/account/data.ts";

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
  return LOOPBACK_HOSTS.map((name) => `http://${name}:${port}`);
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

/** Whether only this machine can reach the ladder. */
export function isLocal({
  host,
  "base-url": url,
}: Pick<ServeOptions, "host" | "base-url">): boolean {
  return isLoopback(host) && (url === null || isLoopback(new URL(url).hostname));
}

/** Whether letters are made that people may refuse: not where they would wait in a file. */
export const sendsMail = (options: Pick<ServeOptions, "host" | "base-url" | "smtp">): boolean =>
  options.smtp !== null || isLocal(options);

/** Where people find the mails that they are sent. */
export function mailPlaceOf(options: ServeOptions): MailPlace {
  if (options.smtp !== null) return "sent";
  return isLocal(options) ? "terminal" : "operator";
}

/** Hosts that stand for every address of the machine; no link can use them. */
const WILDCARD_HOSTS: readonly string[] = ["0.0.0.0", "::"];

type Rule = { isBroken: (options: ServeOptions) => boolean; problem: string };

const isProject = ({ accounts }: ServeOptions): boolean => accounts.startsWith("http");
const isEmbedded = ({ accounts }: ServeOptions): boolean => accounts === "embedded";

/** What options must not be given together. */
const RULES: readonly Rule[] = [
  {
    isBroken: ({ accounts, "admin-email": emails }) => accounts === "none" && emails.length > 0,
    problem: "--admin-email needs accounts, and --accounts none has none",
  },
  {
    isBroken: (options) => isProject(options) && options["provider-key"] === null,
    problem: "--accounts with a project needs its publishable key: --provider-key",
  },
  {
    isBroken: (options) => !isProject(options) && options["provider-key"] !== null,
    problem: "--provider-key is for a project: give its address with --accounts",
  },
  {
    isBroken: ({ "provider-key": key }) => key?.startsWith("sb_secret_") === true,
    problem: "--provider-key takes the publishable key of a project, and this is a secret one",
  },
  {
    isBroken: (options) => options["sign-in"] !== null && !isEmbedded(options),
    problem: "--sign-in is for embedded accounts: a project has settings of its own",
  },
  {
    isBroken: (options) => options["mcp-client-documents"] && !isEmbedded(options),
    problem: "--mcp-client-documents is for embedded accounts: a project has settings of its own",
  },
  {
    isBroken: (options) => options.autoconfirm && isProject(options),
    problem: "--autoconfirm is for embedded accounts: a project has settings of its own",
  },
  {
    isBroken: (options) => options.autoconfirm && !isLocal(options),
    problem: "--autoconfirm is for loopback addresses: --host and --base-url must be local",
  },
  {
    isBroken: (options) => options.anonymous && !isLocal(options),
    problem: "--anonymous is for loopback addresses: --host and --base-url must be local",
  },
  {
    isBroken: ({ host, "base-url": url }) => url === null && WILDCARD_HOSTS.includes(host),
    problem:
      "--host 0.0.0.0 and --host :: listen on every address: name the public one with --base-url",
  },
];

/** Why these options exclude each other, or null. */
export function optionsProblem(options: ServeOptions): string | null {
  return RULES.find(({ isBroken }) => isBroken(options))?.problem ?? null;
}
