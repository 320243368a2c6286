// What all commands for authors and operators share: flags, one-line errors, exit codes.

import { Command, CommanderError } from "commander";

import { COMPLETE_FLAG, completionsOf } from "#tools/program/completion.ts";
import { lineText, paint, styled } from "#tools/terminal/color.ts";
import type { Line } from "#tools/terminal/color.ts";

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** An error for the person at the terminal: a line or a stack, and the exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command without flags yet; `about` is the head of its help. */
export function newCommand(name: string, about: string): Command {
  return new Command(`bout ${name}`)
    .usage("[flags]")
    .description(about)
    .helpOption("-h, --help", "this text")
    .configureHelp({ styleTitle: (title) => paint(["bold"], title) });
}

/** Runs a command. A faulty call is reported as one line on stderr with exit code 2. */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  process.stdout.off("error", leaveWithReader).on("error", leaveWithReader);
  leaveErrorsToUs(command);
  if (args[0] === COMPLETE_FLAG) return say(completionsOf(command, args.slice(1)));
  try {
    await command.parseAsync([...args], { from: "user" });
  } catch (error) {
    process.exitCode = explain(command.name(), error);
  }
}

/** Commander prints help alone, and ends nothing. */
function leaveErrorsToUs(command: Command): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeErr: () => {} });
  command.commands.forEach(leaveErrorsToUs);
}

/** Commander's error in one line: "unknown option '--game'. Did you mean --games?" */
function sentence(message: string): string {
  const [problem = "", hint] = message.replace(/^error: /, "").split("\n");
  const text = problem.replace(/\.?$/, ".");
  return hint === undefined ? text : `${text} ${hint.replace(/^\(|\)$/g, "")}`;
}

/** Prints lines of the result, escaped so that a terminal obeys none of their content. */
export function say(lines: readonly Line[]): void {
  console.log(lines.map((line) => lineText(line, process.stdout)).join("\n"));
}

/** The result of `--json`, on one line or indented. */
export function sayJson(value: unknown, indent = 0): void {
  say(JSON.stringify(value, null, indent).split("\n"));
}

/** Writes a file as it is; escaped on a terminal, which would obey its content. */
export function sayFile(text: string): void {
  if (process.stdout.isTTY) say(text.trimEnd().split("\r\n"));
  else console.log(text.replace(/\n$/, ""));
}

/** Prints lines for the person at the terminal. */
export function complain(...lines: Line[]): void {
  console.error(lines.map((line) => lineText(line, process.stderr)).join("\n"));
}

/** Prints why a command failed. */
export function complainOf(name: string, message: string): void {
  const [first = "", ...rest] = message.split("\n");
  complain([styled(`${name}:`, "red", "bold"), ` ${first}`], ...rest);
}

/** A reader of our output may stop early, like `head`. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  throw error;
}

function explain(name: string, error: unknown): number {
  if (error instanceof CommandFailure) {
    complainOf(name, error.message);
    return error.exitCode;
  }
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) return 0;
  const isIncomplete = error.code === "commander.help";
  const problem = isIncomplete ? "it takes a command." : sentence(error.message);
  complainOf(name, `${problem} See ${name} --help.`);
  return EXIT_USAGE;
}
