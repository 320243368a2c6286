// `bout rotate-keys`: another key signs the sessions of people.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "#base/clock/clock.ts";
import { giveTo, ownerOf } from "#data/files/folder.ts";
import { lockFile } from "#data/sqlite/file-lock.ts";
import { KEYS_LOOK_S, keysIn, openSecrets, ROTATION_LEAD_S } from "#outside/identity/secrets.ts";
import type { KeyNote } from "#outside/identity/secrets.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "#tools/cli/command.ts";

import { SECRETS_FILE } from "./backup.ts";
import { placesOf } from "./keep-command.ts";

/** Empty; held while keys are changed. */
const LOCK_FILE = "rotate-keys.lock";

const NOTES = `
For servers with embedded accounts. Works while the server runs, which publishes the new key within
${KEYS_LOOK_S} s. The key signs ${ROTATION_LEAD_S / 60} minutes after it was made, when everybody who keeps a
list of keys has read it again; the old one stays good until its last token has ended. Nobody has to
sign in again. Should ${SECRETS_FILE} itself have fallen into other hands, this is not enough: stop
the server, move the file away, and start it again; everybody then signs in again.
Exit codes: 0 there is a new key, 1 there is not, 2 the call is wrong.`;

export async function runRotateKeys(args: readonly string[]): Promise<void> {
  const command = newCommand("rotate-keys", "Sign sessions with a new key.")
    .option("--data <DIR>", "the data folder (default: BOUT_DATA, or ./data)")
    .option("--json", "the keys as JSON")
    .addHelpText("after", NOTES)
    .action(rotate);
  await runCommand(command, args);
}

async function rotate({ json, ...place }: { data?: string; json?: true }): Promise<void> {
  const { data } = placesOf(place);
  const path = join(data, SECRETS_FILE);
  if (!existsSync(path)) {
    const problem = `there is no ${SECRETS_FILE} in ${data}: no server with accounts of its own ran there.`;
    throw new CommandFailure(problem, EXIT_USAGE);
  }
  try {
    using lock = lockFile(join(data, LOCK_FILE));
    giveTo(join(data, LOCK_FILE), ownerOf(data));
    if (lock === null) throw new Error("another rotation is under way, and no key was made");
    const { rotate: makeKey } = await openSecrets(path, () => systemClock.wall());
    const made = await makeKey();
    const keys = (await keysIn(path)) ?? [];
    if (json === true) sayJson({ made, keys }, 2);
    else say(printRotation(made, keys));
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message}.`, EXIT_FAILED);
  }
}

function printRotation({ kid, from }: KeyNote, keys: readonly KeyNote[]): string[] {
  const older = keys.filter((key) => key.kid !== kid);
  return [
    `${kid} is published within ${KEYS_LOOK_S} s and signs from ${from} on.`,
    ...older.map((key) => `${key.kid} stays good for what it has signed until ${key.replaced}.`),
  ];
}
