// The flags of `bout serve` and `bout demo`: one table for parsing, the environment, defaults and
// --help.

import { Command, CommanderError, InvalidArgumentError } from "commander";

import { HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";
import { FIXED } from "#core/words/limits.ts";
import type { LimitFlag } from "#core/words/limits.ts";
import type { Mailbox } from "#outside/mail/sender.ts";

import { accountsOption, emails } from "./account-flags.ts";
import type { AccountsOption } from "./account-flags.ts";
import { address, link, oneOf, refuse, text, UsageError, whole } from "./flag-values.ts";
import type { Reader } from "./flag-values.ts";
import { LIMIT_FLAGS } from "./limit-flags.ts";
import { contactText, mailbox, smtpServer } from "./mail-flags.ts";
import { networks } from "./proxies.ts";
import { addFileSecrets } from "./secret-files.ts";
import type { FILE_SECRETS, GivenValue } from "./secret-files.ts";

type Flag<T> = {
  /** Shown in --help after the flag's name; null for a switch. */
  readonly value: string | null;
  readonly fallback: T;
  readonly read: Reader<T>;
  readonly about: string;
  /** Must not be repeated in a message. */
  readonly isSecret: boolean;
  /** May be given several times, which is as if the values were one list with commas. */
  readonly isRepeatable: boolean;
};

const database: Reader<string> = (value) =>
  /^postgres(ql)?:\/\//.test(value) ? value : refuse("postgres://user:password@host:port/name");

/** Text that a header can carry unchanged. */
const key: Reader<string> = (value) =>
  /^[!-~]{1,256}$/.test(value) ? value : refuse("1 to 256 printable ASCII characters, no space");

const isOn: Reader<boolean> = (value) =>
  ["1", "true", "on"].includes(value) ||
  (["0", "false", "off"].includes(value) ? false : refuse("on or off"));

const onOrOff = oneOf(["on", "off"]);

const rateLimits = oneOf(["auto", "on", "off"]);

const house: Reader<readonly HouseKind[]> = (value) => {
  if (value === "all") return HOUSE_KINDS;
  if (value === "none") return [];
  const names = value.split(",");
  const isRight = (name: string): name is HouseKind => HOUSE_KINDS.some((kind) => kind === name);
  const known = names.filter(isRight);
  if (known.length === names.length) return known;
  return refuse(`all, none, or a comma list of ${HOUSE_KINDS.join(", ")}`);
};

function flag<T>(
  value: string | null,
  fallback: T,
  read: Reader<NoInfer<T>>,
  about: string,
): Flag<T> {
  return { value, fallback, read, about, isSecret: false, isRepeatable: false };
}

function listFlag<T>(value: string, read: Reader<readonly T[]>, about: string): Flag<readonly T[]> {
  return { ...flag<readonly T[]>(value, [], read, about), isRepeatable: true };
}

function secretFlag<T = string>(value: string, read: Reader<T>, about: string): Flag<T | null> {
  return { value, fallback: null, read, about, isSecret: true, isRepeatable: false };
}

const secretFileFlag = (name: (typeof FILE_SECRETS)[number]): Flag<string | null> =>
  flag<string | null>(
    "FILE",
    null,
    text,
    `file with the value of --${name}, which only you may read`,
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
    whole(0, 65_535),
    "port of HTTP and sockets; 0 picks a free one",
  ),
  host: flag<string>("HOST", "127.0.0.1", text, "address to listen on"),
  "base-url": flag<string | null>(
    "URL",
    null,
    address,
    "public address of the ladder (default http://localhost:PORT on a loopback host)",
  ),
  "source-url": flag<string | null>(
    "URL",
    null,
    link,
    "where a copy of the project is had, for GET /api",
  ),
  data: flag<string>("DIR", "./data", text, "database, replays, keys; its owner's alone"),
  database: secretFlag("URL", database, "PostgreSQL instead of SQLite"),
  "database-file": secretFileFlag("database"),
  accounts: flag<AccountsOption>(
    "KIND",
    "embedded",
    accountsOption,
    "who people are: embedded, none, or the address of a Supabase or GoTrue project",
  ),
  "provider-key": flag<string | null>(
    "KEY",
    null,
    key,
    "publishable key of that project, never a secret one",
  ),
  autoconfirm: flag<boolean>(
    null,
    false,
    isOn,
    "addresses of embedded accounts need no confirmation (loopback addresses only)",
  ),
  "sign-in": flag<string | null>(
    "FILE",
    null,
    text,
    "JSON list of places where people may sign in to embedded accounts",
  ),
  config: flag<string | null>(
    "FILE",
    null,
    text,
    "JSON with ladders and events, made at the start where they are not there yet",
  ),
  flags: flag<string | null>(
    "FILE",
    null,
    text,
    "JSON file with the flags of events, which only you may read, beside BOUT_FLAG_...",
  ),
  mcp: flag<"on" | "off">(
    "WHEN",
    "on",
    onOrOff,
    "the MCP endpoint, on a server with accounts: on or off",
  ),
  "mcp-client-documents": flag<boolean>(
    null,
    false,
    isOn,
    "programs may be the https address of a document about themselves, which is read",
  ),
  anonymous: flag<boolean>(
    null,
    false,
    isOn,
    "anyone on this machine may register and play (loopback addresses only)",
  ),
  "admin-email": listFlag(
    "LIST",
    emails,
    "addresses of people who are admins once they confirmed them; may be repeated",
  ),
  smtp: secretFlag(
    "URL",
    smtpServer,
    "mail server; without one, letters go to outbox.jsonl in the data folder",
  ),
  "smtp-file": secretFileFlag("smtp"),
  "mail-from": flag<Mailbox | null>(
    "ADDRESS",
    null,
    mailbox,
    "whom letters come from (default bout@HOST of the base URL)",
  ),
  contact: flag<string | null>(
    "TEXT",
    null,
    contactText,
    "how people reach you, for letters and for people whom you dealt with",
  ),
  "registration-key": secretFlag(
    "KEY",
    key,
    "whoever registers a bot must know it: the header X-Registration-Key",
  ),
  "registration-key-file": secretFileFlag("registration-key"),
  house: flag<readonly HouseKind[]>(
    "LIST",
    HOUSE_KINDS,
    house,
    `house bots: all, none, or a comma list of ${HOUSE_KINDS.join(", ")} (default all)`,
  ),
  play: flag<"on" | "off">(
    "WHEN",
    "on",
    onOrOff,
    "fights of people against the house bots: on or off",
  ),
  ...limitFlags,
  "trust-proxy": flag<readonly string[]>(
    "LIST",
    [],
    networks,
    "addresses or networks of proxies whose X-Forwarded-For counts",
  ),
  "event-network": listFlag(
    "CIDR",
    networks,
    `network of a venue, whose addresses have ${FIXED.event_network_factor} times the limits; may be repeated`,
  ),
  "rate-limits": flag<"auto" | "on" | "off">(
    "WHEN",
    "auto",
    rateLimits,
    "requests of one address: on, off, or auto: off while the base URL is local",
  ),
  "metrics-port": flag<number | null>(
    "PORT",
    null,
    whole(0, 65_535),
    "port on 127.0.0.1 with metrics for Prometheus, without a credential",
  ),
  "log-level": flag<"info" | "debug">(
    "LEVEL",
    "info",
    oneOf(["info", "debug"]),
    "info, or debug: one more line for each HTTP request and pairing wave",
  ),
  profiling: flag<boolean>(
    null,
    false,
    isOn,
    "measures where time goes, and admins may record profiles of the server",
  ),
  "no-upgrade-copy": flag<boolean>(
    null,
    false,
    isOn,
    "an upgrade of the database keeps no copy of what it was",
  ),
} as const;

type Flags = typeof SERVE_FLAGS;
export type ServeOptions = {
  [K in keyof Flags]: Flags[K] extends Flag<infer T> ? T : never;
};

/** The commands that take these flags, and their own defaults. */
const SERVING = {
  serve: { about: "Run the ladder.", defaults: {} },
  demo: {
    about:
      "Run a ladder on this machine with house bots and sample bots, where anyone may register.\n" +
      "It is `bout serve --anonymous --autoconfirm`, with data of its own.",
    defaults: { data: "./data/demo", anonymous: true, autoconfirm: true },
  },
  doctor: {
    about:
      "Look at everything that bout serve needs, with the same flags, and say what to do.\n" +
      "It works while the server runs, changes nothing and sends no mail. --json prints JSON.",
    defaults: {},
  },
} as const satisfies Record<string, { about: string; defaults: Partial<ServeOptions> }>;
export type ServingCommand = keyof typeof SERVING;

const ENVIRONMENT = `
Each flag is also an environment variable, --match-interval as BOUT_MATCH_INTERVAL; a flag wins.`;
const HELP_WIDTH = 100;

const environmentName = (name: string): string => `BOUT_${name.toUpperCase().replaceAll("-", "_")}`;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the arguments after the command. A flag overrides its variable, a variable the default. */
export function readServeOptions(
  args: readonly string[],
  environment: Environment,
  command: ServingCommand = "serve",
): ServeOptions | { error: string } {
  const given = readArguments(args, command);
  if (typeof given === "string") return { error: given };
  const options: Record<string, unknown> = { ...fallbacksOf(command) };
  try {
    for (const [name, { value, source }] of givenValues(given, environment))
      options[name] = readFlag(name, value, source);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { error: error.message };
  }
  return options as ServeOptions;
}

/** The texts of flags, variables and files of secrets. Throws a UsageError for a bad file. */
function givenValues(
  flags: Readonly<Record<string, string>>,
  environment: Environment,
): Map<keyof Flags, GivenValue> {
  const values = new Map<keyof Flags, GivenValue>();
  for (const name of Object.keys(SERVE_FLAGS) as (keyof Flags)[]) {
    const variable = environmentName(name);
    const value = flags[name] ?? environment[variable];
    const source = flags[name] === undefined ? variable : `--${name}`;
    if (value !== undefined) values.set(name, { value, source });
  }
  addFileSecrets(values);
  return values;
}

/** Throws a UsageError, which repeats the value unless it is a secret. */
function readFlag(name: keyof Flags, value: string, source: string): unknown {
  const { read, isSecret } = SERVE_FLAGS[name];
  try {
    return read(value);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const expected = error.message.replace(/^It takes /, "");
    const refused = isSecret ? source : `${source} is ${JSON.stringify(value)}, but`;
    throw new UsageError(`${refused} takes ${expected}`);
  }
}

function fallbacksOf(command: ServingCommand): Record<string, unknown> {
  const table = Object.entries(SERVE_FLAGS).map(([name, { fallback }]): [string, unknown] => {
    return [name, fallback];
  });
  return { ...Object.fromEntries(table), ...SERVING[command].defaults };
}

/** The texts given, by flag; or what is wrong with the call. */
function readArguments(
  args: readonly string[],
  name: ServingCommand,
): Record<string, string> | string {
  const command = commandOf(name)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    command.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.message.replace(/^error: /, "").replace(/\.$/, "");
  }
  const given = command.options.flatMap((option): [string, string][] => {
    const key = option.attributeName();
    if (command.getOptionValueSource(key) !== "cli") return [];
    // A flag that begins with `no-` is an ordinary switch here; commander would make it false.
    const value = option.negate ? true : (command.getOptionValue(key) as string | string[] | true);
    return [[option.long?.slice(2) ?? option.name(), [value].flat().join(",")]];
  });
  return Object.fromEntries(given);
}

function commandOf(name: ServingCommand): Command {
  const fallbacks = fallbacksOf(name);
  const command = new Command(`bout ${name}`)
    .usage("[flags]")
    .description(SERVING[name].about)
    .helpOption("-h, --help", "this text")
    .showSuggestionAfterError(false)
    .configureHelp({ helpWidth: HELP_WIDTH })
    .addHelpText("after", ENVIRONMENT);
  for (const [flag, { value, about, isRepeatable }] of Object.entries(SERVE_FLAGS)) {
    const flags = value === null ? `--${flag}` : `--${flag} <${value}>`;
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

/** The text of `bout serve --help`. */
export function serveHelp(command: ServingCommand = "serve"): string {
  let text = "";
  commandOf(command)
    .configureOutput({ writeOut: (part) => (text += part) })
    .outputHelp();
  return text.trimEnd();
}

function defaultText(fallback: unknown): string {
  if (fallback === true) return " (default on)";
  const isPlain = typeof fallback === "string" || typeof fallback === "number";
  return isPlain ? ` (default ${fallback})` : "";
}
