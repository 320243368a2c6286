// Flags of `bout serve` and `bout demo`. One table defines parsing, environment variables, defaults
// and --help.

import { Command, CommanderError, InvalidArgumentError } from "commander";

import type { Mailbox } from "#adapters/mail/mail-addresses.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { LimitFlag } from "#core/limits/limits.ts";

import { parseAccountsOption, parseEmails } from "./account-flags.ts";
import type { AccountsOption } from "./account-flags.ts";
import {
  parseOrigin,
  parseLink,
  parseOneOf,
  rejectValue,
  parseText,
  UsageError,
  parseWhole,
} from "./flag-values.ts";
import type { FlagParser } from "./flag-values.ts";
import { LIMIT_FLAGS } from "./limit-flags.ts";
import { parseContact, parseMailboxFlag, parseSmtpServer } from "./mail-flags.ts";
import { parseNetworks } from "./networks.ts";
import { addFileSecrets } from "./secret-files.ts";
import type { FILE_SECRETS, FlagValue } from "./secret-files.ts";

type Flag<T> = {
  readonly placeholder: string | null;
  readonly defaultValue: T;
  readonly parse: FlagParser<T>;
  readonly about: string;
  /** The value must not appear in messages. */
  readonly isSecret: boolean;
  readonly isRepeatable: boolean;
};

const database: FlagParser<string> = (value) =>
  /^postgres(ql)?:\/\//.test(value)
    ? value
    : rejectValue("postgres://user:password@host:port/name");

/** Accepts text that can be sent in a header unchanged. */
const key: FlagParser<string> = (value) =>
  /^[!-~]{1,256}$/.test(value)
    ? value
    : rejectValue("1 to 256 printable ASCII characters without spaces");

const parseSwitch: FlagParser<boolean> = (value) =>
  ["1", "true", "on"].includes(value) ||
  (["0", "false", "off"].includes(value) ? false : rejectValue("on or off"));

const parseOnOff = parseOneOf(["on", "off"]);

const parseRateLimits = parseOneOf(["auto", "on", "off"]);

const house: FlagParser<readonly HouseKind[]> = (value) => {
  if (value === "all") return HOUSE_KINDS;
  if (value === "none") return [];
  const names = value.split(",");
  const isHouseKind = (name: string): name is HouseKind =>
    HOUSE_KINDS.some((kind) => kind === name);
  const validKinds = names.filter(isHouseKind);
  if (validKinds.length === names.length) return validKinds;
  return rejectValue(`all, none, or a comma-separated list of ${HOUSE_KINDS.join(", ")}`);
};

function flag<T>(
  value: string | null,
  fallback: T,
  read: FlagParser<NoInfer<T>>,
  about: string,
): Flag<T> {
  return {
    placeholder: value,
    defaultValue: fallback,
    parse: read,
    about,
    isSecret: false,
    isRepeatable: false,
  };
}

function listFlag<T>(
  value: string,
  read: FlagParser<readonly T[]>,
  about: string,
): Flag<readonly T[]> {
  return { ...flag<readonly T[]>(value, [], read, about), isRepeatable: true };
}

function secretFlag<T = string>(value: string, read: FlagParser<T>, about: string): Flag<T | null> {
  return {
    placeholder: value,
    defaultValue: null,
    parse: read,
    about,
    isSecret: true,
    isRepeatable: false,
  };
}

const secretFileFlag = (name: (typeof FILE_SECRETS)[number]): Flag<string | null> =>
  flag<string | null>(
    "FILE",
    null,
    parseText,
    `file with the value of --${name}, readable only by you`,
  );

const limitFlags = Object.fromEntries(
  LIMIT_FLAGS.map(({ name, value, fallback, read, about }) => [
    name,
    flag(value, fallback, read, about),
  ]),
) as Record<LimitFlag, Flag<number>>;

const SERVE_FLAGS = {
  port: flag<number>(
    "PORT",
    7777,
    parseWhole(0, 65_535),
    "port for HTTP and WebSockets; 0 picks a free port",
  ),
  host: flag<string>("HOST", "127.0.0.1", parseText, "address to listen on"),
  "base-url": flag<string | null>(
    "URL",
    null,
    parseOrigin,
    "public URL of the server (default http://localhost:PORT on a loopback host)",
  ),
  "source-url": flag<string | null>("URL", null, parseLink, "URL of the source code, for GET /api"),
  data: flag<string>("DIR", "./data", parseText, "data folder, readable only by its owner"),
  database: secretFlag("URL", database, "PostgreSQL instead of SQLite"),
  "database-file": secretFileFlag("database"),
  accounts: flag<AccountsOption>(
    "KIND",
    "embedded",
    parseAccountsOption,
    "accounts: embedded, none, or the URL of a Supabase or GoTrue project",
  ),
  "provider-key": flag<string | null>(
    "KEY",
    null,
    key,
    "publishable key of that project, never a secret key",
  ),
  autoconfirm: flag<boolean>(
    null,
    false,
    parseSwitch,
    "embedded accounts don't need to confirm their email address (loopback addresses only)",
  ),
  "sign-in": flag<string | null>(
    "FILE",
    null,
    parseText,
    "JSON file with sign-in providers for embedded accounts",
  ),
  config: flag<string | null>(
    "FILE",
    null,
    parseText,
    "JSON file with ladders and events to create at startup if they don't exist",
  ),
  flags: flag<string | null>(
    "FILE",
    null,
    parseText,
    "JSON file with event flags, readable only by you, in addition to BOUT_FLAG_...",
  ),
  mcp: flag<"on" | "off">(
    "WHEN",
    "on",
    parseOnOff,
    "MCP endpoint, on a server with accounts: on or off",
  ),
  "mcp-client-documents": flag<boolean>(
    null,
    false,
    parseSwitch,
    "apps may identify themselves by the https URL of a client metadata document",
  ),
  anonymous: flag<boolean>(
    null,
    false,
    parseSwitch,
    "anyone on this machine may register and play (loopback addresses only)",
  ),
  "admin-email": listFlag(
    "LIST",
    parseEmails,
    "email addresses that make their accounts admins once confirmed; may be repeated",
  ),
  smtp: secretFlag(
    "URL",
    parseSmtpServer,
    "mail server; without one, emails go to outbox.jsonl in the data folder",
  ),
  "smtp-file": secretFileFlag("smtp"),
  "mail-from": flag<Mailbox | null>(
    "ADDRESS",
    null,
    parseMailboxFlag,
    "From address for outgoing email (default bout@HOST of the base URL)",
  ),
  contact: flag<string | null>(
    "TEXT",
    null,
    parseContact,
    "how people can reach you, shown in emails and to sanctioned users",
  ),
  "registration-key": secretFlag(
    "KEY",
    key,
    "key required to register a bot, in the header X-Registration-Key",
  ),
  "registration-key-file": secretFileFlag("registration-key"),
  house: flag<readonly HouseKind[]>(
    "LIST",
    HOUSE_KINDS,
    house,
    `house bots: all, none, or a comma-separated list of ${HOUSE_KINDS.join(", ")} (default all)`,
  ),
  play: flag<"on" | "off">(
    "WHEN",
    "on",
    parseOnOff,
    "matches between people and house bots: on or off",
  ),
  ...limitFlags,
  "trust-proxy": flag<readonly string[]>(
    "LIST",
    [],
    parseNetworks,
    "addresses or networks of proxies whose X-Forwarded-For header is trusted",
  ),
  "event-network": listFlag(
    "CIDR",
    parseNetworks,
    `network of an event venue, whose addresses get ${FIXED_LIMITS.event_network_factor} times the limits; may be repeated`,
  ),
  "rate-limits": flag<"auto" | "on" | "off">(
    "WHEN",
    "auto",
    parseRateLimits,
    "rate limits per address: on, off, or auto: off if the base URL is local",
  ),
  "metrics-port": flag<number | null>(
    "PORT",
    null,
    parseWhole(0, 65_535),
    "port on 127.0.0.1 for Prometheus metrics, without a credential",
  ),
  "log-level": flag<"info" | "debug">(
    "LEVEL",
    "info",
    parseOneOf(["info", "debug"]),
    "info, or debug: also logs each HTTP request and pairing wave",
  ),
  profiling: flag<boolean>(
    null,
    false,
    parseSwitch,
    "measures timings and lets admins record profiles of the server",
  ),
  "no-upgrade-copy": flag<boolean>(
    null,
    false,
    parseSwitch,
    "keep no copy of the database when upgrading it",
  ),
} as const;

type Flags = typeof SERVE_FLAGS;
export type ServeOptions = {
  [K in keyof Flags]: Flags[K] extends Flag<infer T> ? T : never;
};

/** Commands that accept these flags, with their own defaults. */
const SERVING_COMMANDS = {
  serve: { about: "Run the server.", defaults: {} },
  demo: {
    about:
      "Run a local ladder with house bots and sample bots, where anyone may register.\n" +
      "Equivalent to `bout serve --anonymous --autoconfirm`, with its own data folder.",
    defaults: { data: "./data/demo", anonymous: true, autoconfirm: true },
  },
  doctor: {
    about:
      "Check everything that bout serve needs, with the same flags, and suggest fixes.\n" +
      "Can run while the server is running. Changes nothing and sends no email. --json prints JSON.",
    defaults: {},
  },
} as const satisfies Record<string, { about: string; defaults: Partial<ServeOptions> }>;
export type ServingCommand = keyof typeof SERVING_COMMANDS;

const ENVIRONMENT = `
Each flag is also an environment variable: --match-interval is BOUT_MATCH_INTERVAL. Flags override variables.`;
const HELP_WIDTH = 100;

const environmentName = (name: string): string => `BOUT_${name.toUpperCase().replaceAll("-", "_")}`;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the arguments after the command name. Flags override environment variables, which override
 * defaults.
 */
export function readServeOptions(
  args: readonly string[],
  environment: Environment,
  command: ServingCommand = "serve",
): ServeOptions | { error: string } {
  const parsedValues = parseArguments(args, command);
  if (typeof parsedValues === "string") return { error: parsedValues };
  const options: Record<string, unknown> = { ...defaultsOf(command) };
  try {
    for (const [name, { value, source }] of collectValues(parsedValues, environment))
      options[name] = parseFlag(name, value, source);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { error: error.message };
  }
  return options as ServeOptions;
}

/**
 * Collects values from flags, environment variables and secret files. Throws a UsageError if a file
 * is invalid.
 */
function collectValues(
  flags: Readonly<Record<string, string>>,
  environment: Environment,
): Map<keyof Flags, FlagValue> {
  const values = new Map<keyof Flags, FlagValue>();
  for (const name of Object.keys(SERVE_FLAGS) as (keyof Flags)[]) {
    const variable = environmentName(name);
    const value = flags[name] ?? environment[variable];
    const source = flags[name] === undefined ? variable : `--${name}`;
    if (value !== undefined) values.set(name, { value, source });
  }
  addFileSecrets(values);
  return values;
}

/** Throws a UsageError. The message contains the value unless the flag is a secret. */
function parseFlag(name: keyof Flags, value: string, source: string): unknown {
  const { parse, isSecret } = SERVE_FLAGS[name];
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const expected = error.message.replace(/^It takes /, "");
    const subject = isSecret ? source : `${source} is ${JSON.stringify(value)}, but`;
    throw new UsageError(`${subject} takes ${expected}`);
  }
}

function defaultsOf(command: ServingCommand): Record<string, unknown> {
  const entries = Object.entries(SERVE_FLAGS).map(([name, { defaultValue }]): [string, unknown] => {
    return [name, defaultValue];
  });
  return { ...Object.fromEntries(entries), ...SERVING_COMMANDS[command].defaults };
}

function parseArguments(
  args: readonly string[],
  name: ServingCommand,
): Record<string, string> | string {
  const command = buildCommand(name)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    command.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.message.replace(/^error: /, "").replace(/\.$/, "");
  }
  const parsedValues = command.options.flatMap((option): [string, string][] => {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== "cli") return [];
    // commander negates flags with the prefix `no-`. Here they are ordinary switches.
    const value = option.negate ? true : (command.getOptionValue(key) as string | string[] | true);
    return [[option.long?.slice(2) ?? option.name(), [value].flat().join(",")]];
  });
  return Object.fromEntries(parsedValues);
}

function buildCommand(name: ServingCommand): Command {
  const fallbacks = defaultsOf(name);
  const command = new Command(`bout ${name}`)
    .usage("[flags]")
    .description(SERVING_COMMANDS[name].about)
    .helpOption("-h, --help", "show this help")
    .showSuggestionAfterError(false)
    .configureHelp({ helpWidth: HELP_WIDTH })
    .addHelpText("after", ENVIRONMENT);
  for (const [flag, { placeholder, about, isRepeatable }] of Object.entries(SERVE_FLAGS)) {
    const flags = placeholder === null ? `--${flag}` : `--${flag} <${placeholder}>`;
    const text = `${about}${defaultText(fallbacks[flag])}`;
    if (isRepeatable) command.option(flags, text, collect);
    else command.option(flags, text);
  }
  return command;
}

const collect = (value: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

export function serveHelp(command: ServingCommand = "serve"): string {
  let text = "";
  buildCommand(command)
    .configureOutput({ writeOut: (part) => (text += part) })
    .outputHelp();
  return text.trimEnd();
}

function defaultText(fallback: unknown): string {
  if (fallback === true) return " (default on)";
  const isPlain = typeof fallback === "string" || typeof fallback === "number";
  return isPlain ? ` (default ${fallback})` : "";
}
