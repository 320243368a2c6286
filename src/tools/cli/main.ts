// Finds and runs the command named by the arguments. Shared by the checkout and the package.

import { createStyledPart } from "#tools/terminal/color.ts";
import type { OutputLine } from "#tools/terminal/color.ts";

import type { CommandEntry, CommandTable } from "./author-commands.ts";
import { EXIT_USAGE, printErrorLines, printCommandError, printLines } from "./command.ts";
import { COMPLETE_FLAG, completionScript } from "./completion.ts";
import { findNearest } from "./nearest-word.ts";

type CommandGroup = { title: string; commands: CommandTable };

export type CliDefinition = {
  groups: readonly CommandGroup[];
  version: () => Promise<string>;
};

const NAME_WIDTH = 13;
/** Old command names, which work until release 0.60. */
const RENAMED_COMMANDS: Readonly<Record<string, string>> = { rehearse: "load-test" };
const HELP_WORDS = ["help", "--help", "-h"];
const VERSION_FLAGS = ["--version", "-v", "-V"];

export async function runCli(cli: CliDefinition, argv: readonly string[]): Promise<void> {
  const [name = "", ...args] = argv;
  const [topic = ""] = args;
  if (VERSION_FLAGS.includes(name)) return printLines([await cli.version()]);
  if (name === "completion") return printCompletionScript(topic);
  if (name === "__complete") return printCompletions(cli, args);
  if (!HELP_WORDS.includes(name)) return runCommandNamed(cli, name, args);
  if (topic === "" || name !== "help") return printLines(formatUsage(cli));
  return runCommandNamed(cli, topic, ["--help"]);
}

async function printCompletions(
  cli: CliDefinition,
  [name, ...args]: readonly string[],
): Promise<void> {
  if (name === undefined || name === "help") return printLines(listCommandNames(cli));
  await createCommandLookup(cli)(name)?.run([COMPLETE_FLAG, ...args]);
}

function createCommandLookup(cli: CliDefinition): (name: string) => CommandEntry | undefined {
  const commandsByName = new Map(cli.groups.flatMap(({ commands }) => Object.entries(commands)));
  return (name) => commandsByName.get(RENAMED_COMMANDS[name] ?? name);
}

const listCommandNames = ({ groups }: CliDefinition): string[] => [
  ...groups.flatMap(({ commands }) => Object.keys(commands)),
  "help",
  "completion",
];

async function runCommandNamed(
  cli: CliDefinition,
  name: string,
  args: readonly string[],
): Promise<void> {
  const command = createCommandLookup(cli)(name);
  if (command !== undefined) return command.run(args);
  process.exitCode = EXIT_USAGE;
  if (name === "") return printErrorLines(...formatUsage(cli));
  const suggestion = findNearest(name, listCommandNames(cli));
  const hint =
    suggestion === null ? 'To list commands, run "bout help".' : `Did you mean ${suggestion}?`;
  printCommandError("bout", `unknown command '${name}'. ${hint}`);
}

function formatUsage({ groups }: CliDefinition): OutputLine[] {
  const lines = groups.flatMap(({ title, commands }): OutputLine[] => [
    "",
    [createStyledPart(`${title}:`, "bold")],
    ...Object.entries(commands).map(
      ([name, { description }]) => `  ${name.padEnd(NAME_WIDTH)}${description}`,
    ),
  ]);
  return [
    [createStyledPart("Usage:", "bold"), " bout COMMAND [flags]"],
    ...lines,
    "",
    ...USAGE_FOOTER,
  ];
}

const USAGE_FOOTER = [
  "bout help COMMAND     show the flags of a command",
  "bout completion bash  print a completion script: bash, zsh or fish",
  "bout --version        show the release, engine, protocol and rules versions",
];

function printCompletionScript(shell: string): void {
  const script = completionScript(shell);
  if (script !== null) return printLines(script.split("\n"));
  process.exitCode = EXIT_USAGE;
  printErrorLines("bout completion: choose a shell: bash, zsh or fish.");
}
