// Who can fight in a local match, by name on the command line, and how each is reached: with the
// messages of the bot socket, as text.

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { HOUSE_KINDS } from "#core/words/house.ts";
import { TEMPERS } from "#tools/starters/starter.ts";

import { CONTENDERS } from "./contender.ts";
import { openModule } from "./contestant-module.ts";
import { openProcess } from "./contestant-process.ts";
import { DEFAULT_SOCKET_PORT, openSocket } from "./contestant-socket.ts";
import type { Player } from "./local-match.ts";
import { typescriptProblem } from "./node-support.ts";
import type { NoteProgram } from "./programs.ts";

const COMMAND_PREFIX = "cmd:";
const SOCKET_PREFIX = "socket:";
const STARTER = /^starter:/;
/** The length limit of bot names on a ladder. */
const NAME_LENGTH = 24;

/** How a bot is reached: `inside` this process, or as a separate program with a time limit. */
export type Contestant = {
  readonly spec: string;
  readonly name: string;
  readonly isInside: boolean;
  /**
   * Prepares it for many matches, one after another. Rejects with what is wrong with it. `announce`
   * receives what the person has to do meanwhile.
   */
  open(note: NoteProgram, announce: (line: string) => void): Promise<Player>;
};

const NAMES: readonly (readonly [string, string])[] = [
  [HOUSE_KINDS.join(", "), "the house bots, from easy to very hard"],
  ["random, greedy", "sparring partners"],
  ["starter:TEMPER", `the starter: ${Object.keys(TEMPERS).join(", ")}`],
  ["FILE", "a module (.ts, .js, .mjs) with createBot or decide"],
  ["FILE:WORD", "the same; createBot is also given the word, as the starter its temper"],
  ["socket:PORT", `a bot that connects to this port as to a ladder (${DEFAULT_SOCKET_PORT})`],
  ['"cmd:PROGRAM ARGUMENTS"', "a program that reads and writes JSON lines"],
];
const NAMES_WIDTH = Math.max(...NAMES.map(([name]) => name.length)) + 2;

/** For the help of every command that takes a bot. */
export const BOT_HELP = `
A bot is one of
${NAMES.map(([name, about]) => `  ${name.padEnd(NAMES_WIDTH)}${about}`).join("\n")}`;

/** Finds a bot by its name on the command line; an `error` lists the names there are. */
export function findContestant(spec: string): Contestant | { error: string } {
  if (spec.startsWith(COMMAND_PREFIX)) return programOf(spec);
  if (spec.startsWith(SOCKET_PREFIX)) return socketOf(spec);
  const createBot = CONTENDERS.get(spec.replace(STARTER, "starter-"));
  if (createBot === undefined) return STARTER.test(spec) ? noBot(spec) : moduleOf(spec);
  return inside(spec, nameFrom(spec), () => Promise.resolve({ createBot }));
}

function programOf(spec: string): Contestant | { error: string } {
  const words = splitWords(spec.slice(COMMAND_PREFIX.length));
  if (words.length === 0) return { error: `'${spec}' names no program` };
  const name = nameFrom(words.join("-"));
  return { spec, name, isInside: false, open: (note) => openProcess(words, note) };
}

const MOST_PORT = 65_535;

function socketOf(spec: string): Contestant | { error: string } {
  const given = spec.slice(SOCKET_PREFIX.length);
  const port = given === "" ? DEFAULT_SOCKET_PORT : Number(given);
  if (!/^\d*$/.test(given) || port < 1 || port > MOST_PORT)
    return { error: `'${spec}' names no port; write ${SOCKET_PREFIX}${DEFAULT_SOCKET_PORT}` };
  const open: Contestant["open"] = (_note, announce) => openSocket(port, announce);
  return { spec, name: nameFrom(`socket-${port}`), isInside: false, open };
}

/** Splits a command into words; quotes keep a word together. No shell is involved. */
export function splitWords(command: string): string[] {
  const words = command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}

function moduleOf(spec: string): Contestant | { error: string } {
  const [, file = "", word] = /^(.*?)(?::([\w-]+))?$/s.exec(spec) ?? [];
  const path = isFile(spec) ? spec : file;
  if (!isFile(path)) return noBot(spec);
  const url = pathToFileURL(resolve(path)).href;
  const name = nameFrom(basename(path).replace(/\.\w+$/, ""));
  return inside(spec, name, () => load(url), path === spec ? undefined : word);
}

/** Looks like the name of a file rather than of a bot. */
const FILE_NAME = /[/\\]|\.\w+(?::[\w-]+)?$/;

function noBot(spec: string): { error: string } {
  if (FILE_NAME.test(spec)) return { error: `there is no file '${spec}'` };
  const names = [...CONTENDERS.keys()].map((name) => name.replace("starter-", "starter:"));
  return {
    error: `there is no bot '${spec}': ${names.join(", ")}, a FILE, socket:PORT or "cmd:PROGRAM"`,
  };
}

async function load(url: string): Promise<object> {
  const problem = /\.[cm]?tsx?$/.test(url) ? typescriptProblem() : null;
  if (problem !== null) throw new Error(problem);
  try {
    return (await import(url)) as object;
  } catch (error) {
    throw new Error(importProblem(url, error), { cause: error });
  }
}

function importProblem(url: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = placeIn(error.stack) ?? (error instanceof SyntaxError ? checkedPlace(url) : null);
  return place === null ? error.message : `${error.message} (${place})`;
}

/** The place of a syntax error: usually the first line of the report. */
function placeIn(report: string | undefined): string | null {
  const [line = ""] = (report ?? "").split("\n", 1);
  return /:\d+$/.test(line) ? line : null;
}

/** Importing an ES module does not report the place, but `--check` does. */
function checkedPlace(url: string): string | null {
  const check = ["--check", fileURLToPath(url)];
  return placeIn(spawnSync(process.execPath, check, { encoding: "utf8" }).stderr);
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function inside(
  spec: string,
  name: string,
  load: () => Promise<object>,
  word?: string,
): Contestant {
  return { spec, name, isInside: true, open: async () => openModule(await load(), word) };
}

function nameFrom(text: string): string {
  return text.replaceAll(/[^\w-]+/g, "-").slice(0, NAME_LENGTH);
}
