// Finds bots for local matches by their name on the command line. All bots exchange bot socket
// messages as text.

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { TEMPERS } from "#tools/starters/starter.ts";

import { BUILT_IN_BOTS } from "./built-in-bots.ts";
import type { Player } from "./local-match.ts";
import { openModuleBot } from "./module-bot.ts";
import { typescriptProblem } from "./node-support.ts";
import { openProcessBot } from "./process-bot.ts";
import type { ProcessGroupListener } from "./process-groups.ts";
import { DEFAULT_SOCKET_PORT, openSocketBot } from "./socket-bot.ts";

const COMMAND_PREFIX = "cmd:";
const SOCKET_PREFIX = "socket:";
const STARTER_PREFIX = /^starter:/;
const MAX_NAME_LENGTH = 24;

/** How a bot runs: in this process, or as a separate program with a time limit. */
export type LocalBot = {
  readonly spec: string;
  readonly name: string;
  readonly runsInProcess: boolean;
  /**
   * Prepares the bot for a series of matches. Rejects with the problem. Calls `announce` with
   * anything the user must do meanwhile.
   */
  open(onProcessGroup: ProcessGroupListener, announce: (line: string) => void): Promise<Player>;
};

const BOT_FORMS: readonly (readonly [string, string])[] = [
  [HOUSE_KINDS.join(", "), "house bots, from easy to very hard"],
  ["random, greedy", "sparring partners"],
  ["starter:TEMPER", `starter with a temper: ${Object.keys(TEMPERS).join(", ")}`],
  ["FILE", "module (.ts, .js, .mjs) that exports createBot or decide"],
  ["FILE:WORD", "module whose createBot gets WORD, such as the starter's temper"],
  [
    "socket:PORT",
    `bot that connects to this port as it would to a ladder (${DEFAULT_SOCKET_PORT})`,
  ],
  ['"cmd:PROGRAM ARGUMENTS"', "program that reads and writes JSON lines"],
];
const BOT_FORMS_WIDTH = Math.max(...BOT_FORMS.map(([name]) => name.length)) + 2;

export const BOT_HELP = `\nBots:\n${BOT_FORMS.map(([name, description]) => `  ${name.padEnd(BOT_FORMS_WIDTH)}${description}`).join("\n")}`;

/** Finds a bot by its name on the command line. `error` lists the valid names. */
export function findLocalBot(spec: string): LocalBot | { error: string } {
  if (spec.startsWith(COMMAND_PREFIX)) return createProcessBot(spec);
  if (spec.startsWith(SOCKET_PREFIX)) return createSocketBot(spec);
  const createBot = BUILT_IN_BOTS.get(spec.replace(STARTER_PREFIX, "starter-"));
  if (createBot === undefined)
    return STARTER_PREFIX.test(spec) ? createUnknownBotError(spec) : createModuleBot(spec);
  return createInProcessBot(spec, toBotName(spec), () => Promise.resolve({ createBot }));
}

function createProcessBot(spec: string): LocalBot | { error: string } {
  const words = splitWords(spec.slice(COMMAND_PREFIX.length));
  if (words.length === 0) return { error: `'${spec}' contains no program` };
  const name = toBotName(words.join("-"));
  return {
    spec,
    name,
    runsInProcess: false,
    open: (onProcessGroup) => openProcessBot(words, onProcessGroup),
  };
}

const MAX_PORT = 65_535;

function createSocketBot(spec: string): LocalBot | { error: string } {
  const portText = spec.slice(SOCKET_PREFIX.length);
  const port = portText === "" ? DEFAULT_SOCKET_PORT : Number(portText);
  if (!/^\d*$/.test(portText) || port < 1 || port > MAX_PORT)
    return {
      error: `'${spec}' contains no valid port. Example: ${SOCKET_PREFIX}${DEFAULT_SOCKET_PORT}`,
    };
  const open: LocalBot["open"] = (_note, announce) => openSocketBot(port, announce);
  return { spec, name: toBotName(`socket-${port}`), runsInProcess: false, open };
}

/** Splits a command into words, grouped by quotes. Uses no shell. */
export function splitWords(command: string): string[] {
  const words = command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(
    ([, doubleQuoted, singleQuoted, unquoted]) => doubleQuoted ?? singleQuoted ?? unquoted ?? "",
  );
}

function createModuleBot(spec: string): LocalBot | { error: string } {
  const [, file = "", variant] = /^(.*?)(?::([\w-]+))?$/s.exec(spec) ?? [];
  const path = isFile(spec) ? spec : file;
  if (!isFile(path)) return createUnknownBotError(spec);
  const url = pathToFileURL(resolve(path)).href;
  const name = toBotName(basename(path).replace(/\.\w+$/, ""));
  return createInProcessBot(spec, name, () => loadModule(url), path === spec ? undefined : variant);
}

const FILE_NAME_PATTERN = /[/\\]|\.\w+(?::[\w-]+)?$/;

function createUnknownBotError(spec: string): { error: string } {
  if (FILE_NAME_PATTERN.test(spec)) return { error: `there is no file '${spec}'` };
  const names = [...BUILT_IN_BOTS.keys()].map((name) => name.replace("starter-", "starter:"));
  return {
    error: `there is no bot '${spec}'. Use ${names.join(", ")}, a FILE, socket:PORT or "cmd:PROGRAM"`,
  };
}

async function loadModule(url: string): Promise<object> {
  const problem = /\.[cm]?tsx?$/.test(url) ? typescriptProblem() : null;
  if (problem !== null) throw new Error(problem);
  try {
    return (await import(url)) as object;
  } catch (error) {
    throw new Error(describeImportError(url, error), { cause: error });
  }
}

function describeImportError(url: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const location =
    findLocation(error.stack) ?? (error instanceof SyntaxError ? locateSyntaxError(url) : null);
  return location === null ? error.message : `${error.message} (${location})`;
}

function findLocation(errorReport: string | undefined): string | null {
  const [line = ""] = (errorReport ?? "").split("\n", 1);
  return /:\d+$/.test(line) ? line : null;
}

/**
 * Importing an ES module doesn't report the position of a syntax error, but `node --check` does.
 */
function locateSyntaxError(url: string): string | null {
  const checkArguments = ["--check", fileURLToPath(url)];
  return findLocation(spawnSync(process.execPath, checkArguments, { encoding: "utf8" }).stderr);
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function createInProcessBot(
  spec: string,
  name: string,
  load: () => Promise<object>,
  variant?: string,
): LocalBot {
  return {
    spec,
    name,
    runsInProcess: true,
    open: async () => openModuleBot(await load(), variant),
  };
}

function toBotName(text: string): string {
  return text.replaceAll(/[^\w-]+/g, "-").slice(0, MAX_NAME_LENGTH);
}
