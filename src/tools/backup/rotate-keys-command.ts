import { existsSync } from "node:fs";
import { join } from "node:path";

import {
  KEYS_CHECK_S,
  readKeyInfo,
  openSecrets,
  ROTATION_LEAD_S,
} from "#adapters/identity/secrets.ts";
import type { KeyInfo } from "#adapters/identity/secrets.ts";
import { systemClock } from "#base/clock/clock.ts";
import { changeOwner, fileOwner } from "#data/files/private-folder.ts";
import { lockFile } from "#data/sqlite/file-lock.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";

import { SECRETS_FILE } from "./backup.ts";
import { resolveLocation } from "./location-flags.ts";

const LOCK_FILE = "rotate-keys.lock";

const NOTES = `\nFor servers with embedded accounts. Works while the server is running. The server publishes the\nnew key within ${KEYS_CHECK_S} s. The key is used for signing from ${ROTATION_LEAD_S / 60} minutes after its creation, when all\ncaches of the key set have expired. The old key stays valid until its last token\nexpires, so no one must sign in again.\nIf ${SECRETS_FILE} itself has leaked, rotation is not enough: stop the server, move the file away, and\nstart it again. All users must then sign in again.\nExit codes: 0 key created, 1 failed, 2 invalid arguments.`;

export async function runRotateKeys(args: readonly string[]): Promise<void> {
  const command = createCommand("rotate-keys", "Replace the session signing key.")
    .option("--data <DIR>", "data folder (default: BOUT_DATA, or ./data)")
    .option("--json", "print the keys as JSON")
    .addHelpText("after", NOTES)
    .action(rotateSigningKey);
  await runCommand(command, args);
}

async function rotateSigningKey({
  json,
  ...locationFlags
}: {
  data?: string;
  json?: true;
}): Promise<void> {
  const { data } = resolveLocation(locationFlags);
  const path = join(data, SECRETS_FILE);
  if (!existsSync(path)) {
    const problem = `there is no ${SECRETS_FILE} in ${data}. No server with embedded accounts has used this folder.`;
    throw new CommandFailure(problem, EXIT_USAGE);
  }
  try {
    using lock = lockFile(join(data, LOCK_FILE));
    changeOwner(join(data, LOCK_FILE), fileOwner(data));
    if (lock === null) throw new Error("another rotation is in progress; no key was created");
    const { rotate: makeKey } = await openSecrets(path, () => systemClock.wall());
    const newKey = await makeKey();
    const keys = (await readKeyInfo(path)) ?? [];
    if (json === true) printJson({ made: newKey, keys }, 2);
    else printLines(printRotation(newKey, keys));
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message}.`, EXIT_FAILED);
  }
}

function printRotation({ kid, from }: KeyInfo, keys: readonly KeyInfo[]): string[] {
  const olderKeys = keys.filter((key) => key.kid !== kid);
  return [
    `${kid} is published within ${KEYS_CHECK_S} s and is used for signing from ${from}.`,
    ...olderKeys.map((key) => `${key.kid} stays valid for earlier tokens until ${key.replaced}.`),
  ];
}
