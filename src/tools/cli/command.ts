// What all commands for authors and operators share: flags, one-line errors, exit codes.

import { Command, CommanderError } from "commander";

import { printable } from "#tools/terminal/printable.ts";

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
    .helpOption("-h, --help", "this text");
}

/** Runs a command. A faulty call is reported as one line on stderr with exit code 2. */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  process.stdout.off("error", leaveWithReader).on("error", leaveWithReader);
  leaveErrorsToUs(command);
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
    .showSuggestionAfterError(false)
    .configureOutput({ writeErr: () => {} });
  command.commands.forEach(leaveErrorsToUs);
}

/** Prints lines of the result, escaped so that a terminal obeys none of their content. */
export function say(lines: readonly string[]): void {
  console.log(lines.map(printable).join("\n"));
}

/** The result of `--json`, on one line or indented. */
export function sayJson(value: unknown, indent = 0): void {
  say(JSON.stringify(value, null, indent).split("\n"));
}

/** Prints lines for the person at the terminal. */
export function complain(...lines: string[]): void {
  console.error(lines.map(printable).join("\n"));
}

/** A reader of our output may stop early, like `head`. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  throw error;
}

function explain(name: string, error: unknown): number {
  if (error instanceof CommandFailure) {
    complain(...`${name}: ${error.message}`.split("\n"));
    return error.exitCode;
  }
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) return 0;
  const isIncomplete = error.code === "commander.help";
  const problem = isIncomplete
    ? "it takes a command."
    : error.message.replace(/^error: /, "").replace(/\.?$/, ".");
  complain(`${name}: ${problem} See ${name} --help.`);
  return EXIT_USAGE;
}
