import { Command } from "commander";

import { checkConfig, issueLine } from "#server/configuration/config-file.ts";

import {
  printErrorLines,
  EXIT_USAGE,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "./command.ts";

const NOTES = `
Passwords are read from the variables that password_env names, as when a server starts.
Exit codes: 0 the file is valid, 2 it is invalid; each problem is printed with its position.`;

export async function runConfig(args: readonly string[]): Promise<void> {
  const checkCommand = new Command("check")
    .description("Check a file for --config.")
    .helpOption("-h, --help", "show this help")
    .argument("<FILE>", "JSON file with ladders and events; schema: /docs/schema/config.json")
    .option("--json", "print problems as JSON")
    .action(checkFile);
  const command = createCommand("config", "Check a deployment's configuration file.")
    .usage("check FILE")
    .helpCommand(false)
    .addHelpText("after", NOTES)
    .addCommand(checkCommand);
  await runCommand(command, args);
}

async function checkFile(path: string, { json = false }: { json?: boolean }): Promise<void> {
  const config = await checkConfig(path, process.env);
  const faults = "faults" in config ? config.faults : [];
  if (faults.length > 0) process.exitCode = EXIT_USAGE;
  if (json) printJson({ ok: faults.length === 0, faults }, 2);
  else if ("faults" in config) printErrorLines(...faults.map(issueLine));
  else
    printLines([
      `${path} is valid. Ladders: ${config.ladders.length}, events: ${config.events.length}.`,
    ]);
}
