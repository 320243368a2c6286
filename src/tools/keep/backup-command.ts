// `bout backup`: a copy of a ladder, while it runs.

import { inMib } from "#data/files/room.ts";
import { newCommand, runCommand, say, sayJson } from "#tools/cli/command.ts";

import { bytesIn, makeBackup } from "./backup.ts";
import type { MadeBackup } from "./backup.ts";
import { addPlaceFlags, placesOf, withProgress } from "./keep-command.ts";
import type { PlaceFlags } from "./keep-command.ts";
import { MANIFEST_FILE } from "./manifest.ts";

type Flags = PlaceFlags & { withSecrets?: true; json?: true };

const NOTES = `
Works while the server runs. Replays, pictures and archives become second names of the
server's files where both folders are on one disk, and copies elsewhere; then the database is
copied as it is at one instant, by SQLite or by pg_dump. ${MANIFEST_FILE} comes last: a folder
without it is an incomplete backup. Letters (outbox.jsonl) are in no backup.
Exit codes: 0 it is complete, 1 it is not, 2 the call is wrong.`;

export async function runBackup(args: readonly string[]): Promise<void> {
  const command = newCommand("backup", "Copy a ladder, while it runs, into an empty folder.")
    .usage("DIR [flags]")
    .argument("<DIR>", "a folder that is empty or not there yet");
  addPlaceFlags(command)
    .option("--with-secrets", "the server's keys too: whoever has them can sign in as anybody")
    .option("--json", "what was made as JSON")
    .addHelpText("after", NOTES)
    .action(backup);
  await runCommand(command, args);
}

async function backup(folder: string, flags: Flags): Promise<void> {
  const plan = { ...placesOf(flags), folder, withSecrets: flags.withSecrets === true };
  const made = await withProgress((tell) => makeBackup(plan, () => new Date(), tell));
  const { files, isLinked, ...about } = made;
  const counts = { files: files.length, bytes: bytesIn(made), linked: isLinked };
  if (flags.json === true) sayJson({ folder, ...about, ...counts }, 2);
  else say(printBackup(folder, made));
}

function printBackup(folder: string, made: MadeBackup): string[] {
  const { files, isLinked, secrets, schema, release } = made;
  const replays = files.filter(({ path }) => path.startsWith("replays/")).length;
  const size = `${files.length} files, ${inMib(bytesIn(made))} MiB`;
  return [
    `${folder} has the ladder as it was at ${made.made}: ${size}, ${replays} of them replays;`,
    `schema ${schema}, release ${release}.`,
    secrets
      ? "It has the server's keys: keep it as you keep passwords."
      : "It has no keys of the server: see bout restore --help for what that means.",
    ...(isLinked ? ["Its files are on the server's disk: take a copy to another one."] : []),
  ];
}
