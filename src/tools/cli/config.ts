// `bout config check`: whether a server would start with this file of ladders and events.

import { Command } from "commander";

import { checkConfig, faultLine } from "#server/configuration/config-file.ts";

import { complain, EXIT_USAGE, newCommand, runCommand, say, sayJson } from "./command.ts";

const NOTES = `
A password is read from the variable that password_env names, as a server does at its start.
Exit codes: 0 the file is right, 2 it is not; each fault is named with its place in the file.`;

export async function runConfig(args: readonly string[]): Promise<void> {
  const check = new Command("check")
    .description("Checks a file for --config.")
    .helpOption("-h, --help", "this text")
    .argument("<FILE>", "JSON: ladders and events, schema /docs/schema/config.json")
    .option("--json", "faults as JSON")
    .action(checkFile);
  const command = newCommand("config", "Look at the configuration file of a deployment.")
    .usage("check FILE")
    .helpCommand(false)
    .addHelpText("after", NOTES)
    .addCommand(check);
  await runCommand(command, args);
}

async function checkFile(path: string, { json = false }: { json?: boolean }): Promise<void> {
  const config = await checkConfig(path, process.env);
  const faults = "faults" in config ? config.faults : [];
  if (faults.length > 0) process.exitCode = EXIT_USAGE;
  if (json) sayJson({ ok: faults.length === 0, faults }, 2);
  else if ("faults" in config) complain(...faults.map(faultLine));
  else
    say([`${path} is right. Ladders: ${config.ladders.length}, events: ${config.events.length}.`]);
}
