import { setTimeout as pause } from "node:timers/promises";

import { parseOneOf, parseText } from "#server/configuration/flag-values.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";
import { OnboardError, OnboardUsageError } from "#tools/onboard/onboard-error.ts";
import { onboard } from "#tools/onboard/onboard.ts";
import type { OnboardOptions } from "#tools/onboard/onboard.ts";
import { createPrompt } from "#tools/onboard/prompt.ts";
import { LANGUAGES } from "#tools/onboard/state.ts";
import type { Language } from "#tools/onboard/state.ts";
import { printableLine } from "#tools/terminal/printable.ts";

type Flags = {
  name?: string;
  url?: string;
  lang?: Language;
  email?: string;
  handle?: string;
  code?: string;
  registrationKey?: string;
  outbox?: string;
  play: boolean;
  json?: true;
};

const NOTES = `
Creates the folder NAME with a starter, its token and onboard.json. Only you can read the secrets.
Run it again there, or next to it with the same name, to continue where it stopped.
Environment: BOUT_PASSWORD is the account's password. BOUT_AGENT_KEY is an agent key, used instead of
email and password. BOUT_REGISTRATION_KEY is the ladder's registration key. BOUT_URL is the ladder.
The bot plays as long as the command runs.
Exit codes: 0 done, 1 failed (the reason is on stderr), 2 invalid arguments.`;

export async function runOnboard(args: readonly string[]): Promise<void> {
  const command = createCommand(
    "onboard",
    "Create an account and a bot, play a practice match, then play ranked.",
  )
    .option(
      "--name <NAME>",
      "name of the bot and its folder (default: the folder's bot)",
      parseText,
    )
    .option("--url <URL>", "URL of the ladder (default: http://localhost:7777)", parseText)
    .option("--lang <LANG>", "starter language: ts or python", parseOneOf(LANGUAGES))
    .option("--email <ADDRESS>", "your account's email address; signs up if it is new", parseText)
    .option("--handle <HANDLE>", "public name for a new account (default: suggested)", parseText)
    .option("--code <DIGITS>", "6-digit code from the confirmation email", parseText)
    .option(
      "--outbox <FILE>",
      "file to which the server writes its emails (default: ./data/outbox.jsonl)",
      parseText,
    )
    .option("--registration-key <KEY>", "the ladder's registration key, if required", parseText)
    .option("--no-play", "stop before ranked play")
    .option("--json", "print one JSON line per step")
    .addHelpText("after", NOTES)
    .action(runOnboardCommand);
  await runCommand(command, args);
}

async function runOnboardCommand(flags: Flags): Promise<void> {
  const isJson = flags.json === true;
  const tell = (told: string, facts: object = {}) =>
    isJson ? printJson({ told, ...facts }) : printLines([printableLine(told)]);
  const deps = { prompt: createPrompt(), tell, pause: (ms: number) => pause(ms), isQuiet: isJson };
  try {
    process.exitCode = await onboard(createOnboardOptions(flags, process.env), deps);
  } catch (error) {
    if (!(error instanceof OnboardError)) throw error;
    const code = error instanceof OnboardUsageError ? EXIT_USAGE : EXIT_FAILED;
    throw new CommandFailure(printableLine(error.message), code);
  }
}

function createOnboardOptions(flags: Flags, env: NodeJS.ProcessEnv): OnboardOptions {
  return {
    cwd: process.cwd(),
    name: flags.name ?? null,
    url: flags.url ?? env["BOUT_URL"] ?? null,
    lang: flags.lang ?? null,
    email: flags.email ?? null,
    password: env["BOUT_PASSWORD"] ?? null,
    handle: flags.handle ?? null,
    code: flags.code ?? null,
    agentKey: env["BOUT_AGENT_KEY"] ?? null,
    registrationKey: flags.registrationKey ?? env["BOUT_REGISTRATION_KEY"] ?? null,
    outbox: flags.outbox ?? null,
    shouldPlay: flags.play,
  };
}
