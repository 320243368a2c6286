// `bout admin`: what operators do, from a terminal, over the ladder's own HTTP routes.

import { Command, Option } from "commander";

import type { AdminAction, Given, Parameter } from "./admin-action.ts";
import { ADMIN_ACTIONS } from "./admin-actions.ts";
import { ask, KEY_VARIABLE, ladderAt, readKey, URL_VARIABLE, USUAL_URL } from "./admin-client.ts";
import { confirm } from "./admin-confirm.ts";
import {
  CommandFailure,
  EXIT_USAGE,
  complain,
  newCommand,
  runCommand,
  say,
  sayFile,
  sayJson,
} from "./command.ts";

const GROUPS: Readonly<Record<string, string>> = {
  bots: "Suspends bots, lets them play again, bans them.",
  accounts: "Lists accounts, and does to them what an operator may.",
  owners: "Owners without an account, on anonymous ladders.",
  ladders: "Makes ladders, changes them, and lets people in.",
  settings: "Shows the settings, and changes them while the ladder runs.",
  profiling: "Shows where the server's time goes, and records profiles of it.",
  events: "Makes events, changes them, and deals with what was earned.",
};

const NOTES = `
Each command has --help. All take --url, --key-file and --json. The key is an agent key of an admin;
it is read from ${KEY_VARIABLE} or from a file that only you can read, and is never an argument.
The ladder is that of --url, else that of ${URL_VARIABLE}, else ${USUAL_URL}.
Exit codes: 0 done, 1 the ladder refused, 2 the call is wrong or the ladder cannot be reached.`;

export async function runAdmin(args: readonly string[]): Promise<void> {
  await runCommand(adminCommand(), args);
}

function adminCommand(): Command {
  const root = newCommand("admin", "Operate a ladder over HTTP.")
    .usage("COMMAND [flags]")
    .helpCommand(false)
    .addHelpText("after", NOTES);
  const groups = new Map<string, Command>([["", root]]);
  for (const row of ADMIN_ACTIONS) {
    const { group, isDefault } = row;
    const parent = groups.get(group) ?? groupOf(group);
    if (!groups.has(group)) root.addCommand(parent);
    groups.set(group, parent);
    parent.addCommand(commandOf(row), { isDefault });
  }
  return root;
}

const groupOf = (name: string): Command =>
  new Command(name)
    .description(GROUPS[name] ?? "")
    .helpOption("-h, --help", "this text")
    .helpCommand(false);

type Flags = {
  url?: string;
  keyFile?: string;
  json?: true;
  yes?: true;
} & Given;

function commandOf(row: AdminAction): Command {
  const { name, about, takes, flags, warning } = row;
  const command = new Command(name).description(about).helpOption("-h, --help", "this text");
  for (const { form, about: what, read } of takes) command.argument(form, what, read);
  for (const { form, about: what, read } of flags)
    command.addOption(new Option(form, what).argParser(read));
  command
    .option(
      "--url <URL>",
      `the address of the ladder (default: in ${URL_VARIABLE}, else ${USUAL_URL})`,
    )
    .option("--key-file <FILE>", `where the key is (default: in ${KEY_VARIABLE})`)
    .option("--json", "the answer as it is");
  if (warning !== null) command.option("--yes", "does not ask before what cannot be undone");
  // After the arguments come the flags, and the command itself, which is known here.
  return command.action((...values: unknown[]) =>
    act(row, givenOf(takes, values), command.opts<Flags>()),
  );
}

function givenOf(takes: readonly Parameter[], values: readonly unknown[]): Given {
  const named = takes.map(({ name }, at) => [name, values[at]] as const);
  return Object.fromEntries(named) as Given;
}

async function act(row: AdminAction, taken: Given, flags: Flags): Promise<void> {
  const given: Given = { ...flags, ...taken };
  const ladder = ladderAt(flags.url, process.env);
  const key = await readKey(flags.keyFile, process.env);
  const warning = row.warning?.(given) ?? null;
  if (warning !== null && flags.yes !== true) await confirm(warning, process.stdin, process.stderr);
  const { answer, message } = await askAll(ladder, key, row, given);
  const isJson = flags.json === true || given.format === "json";
  const isFile = given.format === "csv" && typeof answer === "string";
  if (isFile) return sayFile(answer);
  const lines = isJson ? null : message === null ? row.show(answer, given) : [message];
  if (lines === null) sayJson(answer, 2);
  else say(lines);
  if (lines === null && !isJson)
    complain("bout admin: a ladder of another release answered; this is all that it said.");
}

async function askAll(ladder: URL, key: string, row: AdminAction, given: Given) {
  const answer = await ask(ladder, key, row.request(given));
  if (row.followUp === null) return { answer, message: null };
  const call = row.followUp(answer, given);
  if (call === null)
    throw new CommandFailure(
      `${ladder.origin} is a ladder of another release: use the bout of its release.`,
      EXIT_USAGE,
    );
  if (typeof call === "string") return { answer, message: call };
  return { answer: await ask(ladder, key, call), message: null };
}
