import { Command, Option } from "commander";

import {
  CommandFailure,
  EXIT_USAGE,
  printErrorLines,
  createCommand,
  runCommand,
  printLines,
  printFile,
  printJson,
} from "#tools/cli/command.ts";

import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
import { ADMIN_ACTIONS } from "./admin-actions.ts";
import {
  callAdminApi,
  KEY_VARIABLE,
  resolveLadderUrl,
  readKey,
  URL_VARIABLE,
  DEFAULT_LADDER_URL,
} from "./admin-client.ts";
import { confirmAction } from "./admin-confirm.ts";

const GROUP_DESCRIPTIONS: Readonly<Record<string, string>> = {
  bots: "List, suspend, activate and ban bots.",
  accounts: "List and manage accounts.",
  owners: "List and create owners without an account, on anonymous ladders.",
  ladders: "Create and change ladders, and manage their members.",
  settings: "Show settings, and change them while the server is running.",
  profiling: "Show where the server spends its time, and record profiles.",
  events: "Create and change events, and manage their awards.",
};

const NOTES = `\nEach command has --help. All take --url, --key-file and --json. The key is an admin's agent key.\nIt is read from ${KEY_VARIABLE} or from a file that only you can read, and is never an argument.\nThe server is set by --url or ${URL_VARIABLE} (default: ${DEFAULT_LADDER_URL}).\nExit codes: 0 done, 1 rejected by the server, 2 invalid arguments or server not reachable.`;

export async function runAdmin(args: readonly string[]): Promise<void> {
  await runCommand(adminCommand(), args);
}

function adminCommand(): Command {
  const root = createCommand("admin", "Manage a server over HTTP.")
    .usage("COMMAND [flags]")
    .helpCommand(false)
    .addHelpText("after", NOTES);
  const groups = new Map<string, Command>([["", root]]);
  for (const adminAction of ADMIN_ACTIONS) {
    const { group, isDefault } = adminAction;
    const parent = groups.get(group) ?? createGroup(group);
    if (!groups.has(group)) root.addCommand(parent);
    groups.set(group, parent);
    parent.addCommand(createActionCommand(adminAction), { isDefault });
  }
  return root;
}

const createGroup = (name: string): Command =>
  new Command(name)
    .description(GROUP_DESCRIPTIONS[name] ?? "")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false);

type Flags = {
  url?: string;
  keyFile?: string;
  json?: true;
  yes?: true;
} & CommandInput;

function createActionCommand(adminAction: AdminAction): Command {
  const { name, about, takes, flags, warning } = adminAction;
  const command = new Command(name).description(about).helpOption("-h, --help", "show this help");
  for (const { form, about: parameterDescription, parse } of takes)
    command.argument(form, parameterDescription, parse);
  for (const { form, about: parameterDescription, parse } of flags)
    command.addOption(new Option(form, parameterDescription).argParser(parse));
  command
    .option("--url <URL>", `URL of the server (default: ${URL_VARIABLE}, or ${DEFAULT_LADDER_URL})`)
    .option("--key-file <FILE>", `file with the key (default: the key in ${KEY_VARIABLE})`)
    .option("--json", "print the server's response unchanged");
  if (warning !== null)
    command.option("--yes", "skip the confirmation of actions that can't be undone");
  // Commander passes the positional arguments first, then flags and command, which aren't needed.
  return command.action((...values: unknown[]) =>
    runAction(adminAction, namePositionals(takes, values), command.opts<Flags>()),
  );
}

function namePositionals(takes: readonly Parameter[], values: readonly unknown[]): CommandInput {
  const entries = takes.map(({ name }, index) => [name, values[index]] as const);
  return Object.fromEntries(entries) as CommandInput;
}

async function runAction(
  adminAction: AdminAction,
  positionalValues: CommandInput,
  flags: Flags,
): Promise<void> {
  const input: CommandInput = { ...flags, ...positionalValues };
  const ladder = resolveLadderUrl(flags.url, process.env);
  const key = await readKey(flags.keyFile, process.env);
  const warning = adminAction.warning?.(input) ?? null;
  if (warning !== null && flags.yes !== true)
    await confirmAction(warning, process.stdin, process.stderr);
  const { answer, message } = await callLadder(ladder, key, adminAction, input);
  const isJson = flags.json === true || input.format === "json";
  const isFile = input.format === "csv" && typeof answer === "string";
  if (isFile) return printFile(answer);
  const lines = isJson ? null : message === null ? adminAction.show(answer, input) : [message];
  if (lines === null) printJson(answer, 2);
  else printLines(lines);
  if (lines === null && !isJson)
    printErrorLines("bout admin: the server runs another release; printing its raw response.");
}

async function callLadder(ladder: URL, key: string, adminAction: AdminAction, input: CommandInput) {
  const answer = await callAdminApi(ladder, key, adminAction.request(input));
  if (adminAction.followUp === null) return { answer, message: null };
  const call = adminAction.followUp(answer, input);
  if (call === null)
    throw new CommandFailure(
      `${ladder.origin} runs another release. Use the bout command from that release.`,
      EXIT_USAGE,
    );
  if (typeof call === "string") return { answer, message: call };
  return { answer: await callAdminApi(ladder, key, call), message: null };
}
