// Shared by all commands: flags, one-line errors and exit codes.

import { Command, CommanderError } from "commander";

import { formatLine, paint, createStyledPart } from "#tools/terminal/color.ts";
import type { OutputLine } from "#tools/terminal/color.ts";

import { COMPLETE_FLAG, completionsOf } from "./completion.ts";

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** An error to print, on one line or as a stack, with its exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Creates a command without flags. `description` is the first part of its help. */
export function createCommand(name: string, description: string): Command {
  return new Command(`bout ${name}`)
    .usage("[flags]")
    .description(description)
    .helpOption("-h, --help", "show this help")
    .configureHelp({ styleTitle: (title) => paint(["bold"], title) });
}

/** Runs a command. Invalid arguments print one line on stderr and set exit code 2. */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  process.stdout.off("error", exitOnClosedPipe).on("error", exitOnClosedPipe);
  disableCommanderOutput(command);
  if (args[0] === COMPLETE_FLAG) return printLines(completionsOf(command, args.slice(1)));
  try {
    await command.parseAsync([...args], { from: "user" });
  } catch (error) {
    process.exitCode = reportError(command.name(), error);
  }
}

function disableCommanderOutput(command: Command): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeErr: () => {} });
  command.commands.forEach(disableCommanderOutput);
}

/**
 * Joins commander's error into one line, such as "unknown option '--game'. Did you mean --games?"
 */
function formatCommanderError(message: string): string {
  const [problem = "", hint] = message.replace(/^error: /, "").split("\n");
  const text = problem.replace(/\.?$/, ".");
  return hint === undefined ? text : `${text} ${hint.replace(/^\(|\)$/g, "")}`;
}

/** Prints result lines to stdout, escaped for the terminal. */
export function printLines(lines: readonly OutputLine[]): void {
  console.log(lines.map((line) => formatLine(line, process.stdout)).join("\n"));
}

export function printJson(value: unknown, indent = 0): void {
  printLines(JSON.stringify(value, null, indent).split("\n"));
}

/** Prints a file unchanged, or escaped if stdout is a terminal. */
export function printFile(text: string): void {
  if (process.stdout.isTTY) printLines(text.trimEnd().split("\r\n"));
  else console.log(text.replace(/\n$/, ""));
}

/** Prints lines to stderr, escaped for the terminal. */
export function printErrorLines(...lines: OutputLine[]): void {
  console.error(lines.map((line) => formatLine(line, process.stderr)).join("\n"));
}

export function printCommandError(name: string, message: string): void {
  const [first = "", ...rest] = message.split("\n");
  printErrorLines([createStyledPart(`${name}:`, "red", "bold"), ` ${first}`], ...rest);
}

/** A reader such as `head` may close the pipe early. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  throw error;
}

function reportError(name: string, error: unknown): number {
  if (error instanceof CommandFailure) {
    printCommandError(name, error.message);
    return error.exitCode;
  }
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) return 0;
  const isIncomplete = error.code === "commander.help";
  const problem = isIncomplete ? "a command is required." : formatCommanderError(error.message);
  printCommandError(name, `${problem} See ${name} --help.`);
  return EXIT_USAGE;
}
