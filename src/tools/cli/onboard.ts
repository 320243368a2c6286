// `bout onboard`: from nothing to a bot that plays on a ladder.

import { setTimeout as pause } from "node:timers/promises";

import { oneOf, text } from "#server/configuration/flag-values.ts";
import { Halt, Misuse } from "#tools/onboard/halt.ts";
import { onboard } from "#tools/onboard/onboard.ts";
import type { OnboardWish } from "#tools/onboard/onboard.ts";
import { openPrompt } from "#tools/onboard/prompt.ts";
import { LANGUAGES } from "#tools/onboard/state.ts";
import type { Language } from "#tools/onboard/state.ts";
import { oneLine } from "#tools/terminal/printable.ts";

import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "./command.ts";

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
It makes the folder NAME with a starter, its token and what it needs to go on, all readable for you
alone. Called again there, or next to it with the same name, it goes on where it was.
In the environment: BOUT_PASSWORD is the password of the account, BOUT_AGENT_KEY an agent key of it,
which makes address and password unnecessary, BOUT_REGISTRATION_KEY the ladder's registration key,
BOUT_URL the ladder.
The bot plays as long as the command runs. Exit codes: 0 done, 1 something is wrong, which is said,
2 the call is wrong.`;

export async function runOnboard(args: readonly string[]): Promise<void> {
  const command = newCommand("onboard", "From nothing to a bot that plays on a ladder.")
    .option("--name <NAME>", "the bot's name (default: that of the folder's bot)", text)
    .option("--url <URL>", "the ladder (default: http://localhost:7777)", text)
    .option("--lang <LANG>", "language of the starter, ts or python", oneOf(LANGUAGES))
    .option("--email <ADDRESS>", "address of your account; a new one is signed up", text)
    .option("--handle <HANDLE>", "public name of a new account (default: one is suggested)", text)
    .option("--code <DIGITS>", "the six digits of the mail that confirms the address", text)
    .option("--outbox <FILE>", "where the server writes its mails (./data/outbox.jsonl)", text)
    .option("--registration-key <KEY>", "the ladder's registration key, if it has one", text)
    .option("--no-play", "stop before the bot plays for points")
    .option("--json", "a line of JSON for each step")
    .addHelpText("after", NOTES)
    .action(run);
  await runCommand(command, args);
}

async function run(flags: Flags): Promise<void> {
  const isJson = flags.json === true;
  const tell = (told: string, facts: object = {}) =>
    isJson ? sayJson({ told, ...facts }) : say([oneLine(told)]);
  const deps = { prompt: openPrompt(), tell, pause: (ms: number) => pause(ms), isQuiet: isJson };
  try {
    process.exitCode = await onboard(wishOf(flags, process.env), deps);
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    const code = error instanceof Misuse ? EXIT_USAGE : EXIT_FAILED;
    throw new CommandFailure(oneLine(error.message), code);
  }
}

function wishOf(flags: Flags, env: NodeJS.ProcessEnv): OnboardWish {
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
    plays: flags.play,
  };
}
