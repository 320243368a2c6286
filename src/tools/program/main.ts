// Finds the command of a call and runs it: for the program in a checkout, and for the package.

import { EXIT_USAGE, complain, complainOf, say } from "#tools/cli/command.ts";
import { styled } from "#tools/terminal/color.ts";
import type { Line } from "#tools/terminal/color.ts";

import type { CommandEntry, CommandTable } from "./commands.ts";
import { COMPLETE_FLAG, completionScript } from "./completion.ts";
import { nearest } from "./nearest.ts";

type CommandGroup = { title: string; commands: CommandTable };

export type CommandProgram = {
  groups: readonly CommandGroup[];
  /** What `--version` prints. */
  version: () => Promise<string>;
};

const NAME_WIDTH = 13;
const HELP = ["help", "--help", "-h"];
const VERSION = ["--version", "-v", "-V"];

/** Runs `bout NAME ARGS`. Sets the exit code of the process. */
export async function runProgram(program: CommandProgram, call: readonly string[]): Promise<void> {
  const [name = "", ...args] = call;
  const [topic = ""] = args;
  if (VERSION.includes(name)) return say([await program.version()]);
  if (name === "completion") return printScript(topic);
  if (name === "__complete") return printCompletions(program, args);
  if (!HELP.includes(name)) return runCommandNamed(program, name, args);
  if (topic === "" || name !== "help") return say(usage(program));
  return runCommandNamed(program, topic, ["--help"]);
}

/** Prints what may follow the words of a call, one a line. */
async function printCompletions(
  program: CommandProgram,
  [name, ...args]: readonly string[],
): Promise<void> {
  if (name === undefined || name === "help") return say(namesOf(program));
  await findIn(program)(name)?.run([COMPLETE_FLAG, ...args]);
}

function findIn(program: CommandProgram): (name: string) => CommandEntry | undefined {
  const all = new Map(program.groups.flatMap(({ commands }) => Object.entries(commands)));
  return (name) => all.get(name);
}

const namesOf = ({ groups }: CommandProgram): string[] => [
  ...groups.flatMap(({ commands }) => Object.keys(commands)),
  "help",
  "completion",
];

async function runCommandNamed(
  program: CommandProgram,
  name: string,
  args: readonly string[],
): Promise<void> {
  const command = findIn(program)(name);
  if (command !== undefined) return command.run(args);
  process.exitCode = EXIT_USAGE;
  if (name === "") return complain(...usage(program));
  const near = nearest(name, namesOf(program));
  const hint = near === null ? "See bout help." : `Did you mean ${near}?`;
  complainOf("bout", `unknown command '${name}'. ${hint}`);
}

function usage({ groups }: CommandProgram): Line[] {
  const lines = groups.flatMap(({ title, commands }): Line[] => [
    "",
    [styled(`${title}:`, "bold")],
    ...Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(NAME_WIDTH)}${about}`),
  ]);
  return [[styled("Usage:", "bold"), " bout COMMAND [flags]"], ...lines, "", ...MORE];
}

const MORE = [
  "bout help COMMAND     flags of a command",
  "bout completion bash  completion for a shell: bash, zsh or fish",
  "bout --version        release, engine, protocol and rules",
];

function printScript(shell: string): void {
  const script = completionScript(shell);
  if (script !== null) return say(script.split("\n"));
  process.exitCode = EXIT_USAGE;
  complain("bout completion: name a shell: bash, zsh or fish.");
}
