import { isLoopbackHost, LOOPBACK_HOSTS } from "#base/util/loopback.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";
import type { MailDestination } from "#site/account/data.ts";

/** Returns the public URL without a trailing slash. It is never derived from a request. */
export function baseUrlOf({ "base-url": configuredUrl, host }: ServeOptions, port: number): string {
  if (configuredUrl !== null) return configuredUrl;
  if (isLoopbackHost(host)) return `http://localhost:${port}`;
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

export const botEndpointOf = (baseUrl: string): string => socketUrlAt(baseUrl, "/bot");

export const humanMatchEndpointOf = (baseUrl: string): string => socketUrlAt(baseUrl, "/play");

const socketUrlAt = (baseUrl: string, path: string) => `${baseUrl.replace(/^http/, "ws")}${path}`;

export function originsOf(options: ServeOptions, port: number): string[] {
  if (options["base-url"] !== null || !isLoopbackHost(options.host))
    return [baseUrlOf(options, port)];
  return LOOPBACK_HOSTS.map((name) => `http://${name}:${port}`);
}

/**
 * Returns whether requests are rate limited per address. The default is yes if other machines can
 * reach the server.
 */
export function limitsAddresses(options: ServeOptions): boolean {
  const mode = options["rate-limits"];
  if (mode !== "auto") return mode === "on";
  return !isLoopbackHost(new URL(baseUrlOf(options, 0)).hostname);
}

/** Returns whether the server can only be reached from this machine. */
export function isLocal({
  host,
  "base-url": url,
}: Pick<ServeOptions, "host" | "base-url">): boolean {
  return isLoopbackHost(host) && (url === null || isLoopbackHost(new URL(url).hostname));
}

/**
 * Returns whether optional emails are sent. They aren't sent if they would only be written to a
 * file.
 */
export const sendsMail = (options: Pick<ServeOptions, "host" | "base-url" | "smtp">): boolean =>
  options.smtp !== null || isLocal(options);

export function mailPlaceOf(options: ServeOptions): MailDestination {
  if (options.smtp !== null) return "sent";
  return isLocal(options) ? "terminal" : "operator";
}

/** Wildcard hosts, which stand for all of the machine's addresses. Links can't use them. */
const WILDCARD_HOSTS: readonly string[] = ["0.0.0.0", "::"];

type OptionRule = { isViolated: (options: ServeOptions) => boolean; problem: string };

const isProject = ({ accounts }: ServeOptions): boolean => accounts.startsWith("http");
const isEmbedded = ({ accounts }: ServeOptions): boolean => accounts === "embedded";

const OPTION_RULES: readonly OptionRule[] = [
  {
    isViolated: ({ accounts, "admin-email": emails }) => accounts === "none" && emails.length > 0,
    problem: "--admin-email needs accounts: it can't be combined with --accounts none",
  },
  {
    isViolated: (options) => isProject(options) && options["provider-key"] === null,
    problem: "--accounts with a project needs its publishable key: add --provider-key",
  },
  {
    isViolated: (options) => !isProject(options) && options["provider-key"] !== null,
    problem: "--provider-key requires a project: set its URL with --accounts",
  },
  {
    isViolated: ({ "provider-key": key }) => key?.startsWith("sb_secret_") === true,
    problem: "--provider-key takes the publishable key of a project, not a secret key",
  },
  {
    isViolated: (options) => options["sign-in"] !== null && !isEmbedded(options),
    problem: "--sign-in requires embedded accounts: a project has its own settings",
  },
  {
    isViolated: (options) => options["mcp-client-documents"] && !isEmbedded(options),
    problem: "--mcp-client-documents requires embedded accounts: a project has its own settings",
  },
  {
    isViolated: (options) => options.autoconfirm && isProject(options),
    problem: "--autoconfirm requires embedded accounts: a project has its own settings",
  },
  {
    isViolated: (options) => options.autoconfirm && !isLocal(options),
    problem: "--autoconfirm requires loopback addresses: --host and --base-url must be local",
  },
  {
    isViolated: (options) => options.anonymous && !isLocal(options),
    problem: "--anonymous requires loopback addresses: --host and --base-url must be local",
  },
  {
    isViolated: ({ host, "base-url": url }) => url === null && WILDCARD_HOSTS.includes(host),
    problem:
      "--host 0.0.0.0 and --host :: listen on all addresses: set the public address with --base-url",
  },
];

/** Returns why the options can't be combined, or null if they can. */
export function optionsProblem(options: ServeOptions): string | null {
  return OPTION_RULES.find(({ isViolated }) => isViolated(options))?.problem ?? null;
}
