import { toMib } from "#data/files/disk-space.ts";
import { createCommand, runCommand, printLines, printJson } from "#tools/cli/command.ts";

import { totalBytes, makeBackup } from "./backup.ts";
import type { MadeBackup } from "./backup.ts";
import { addLocationFlags, resolveLocation, runWithProgress } from "./location-flags.ts";
import type { LocationFlags } from "./location-flags.ts";
import { MANIFEST_FILE } from "./manifest.ts";

type Flags = LocationFlags & { withSecrets?: true; json?: true };

const NOTES = `\nWorks while the server is running. On the same disk, replays, pictures and archives are hard links\nto the server's files; otherwise they are copied. Then the database is copied in a consistent\nstate, by SQLite or pg_dump. ${MANIFEST_FILE} is written last: a folder without it is an incomplete backup.\nUnsent emails (outbox.jsonl) are not included.\nExit codes: 0 complete, 1 failed, 2 invalid arguments.`;

export async function runBackup(args: readonly string[]): Promise<void> {
  const command = createCommand("backup", "Copy a running ladder into an empty folder.")
    .usage("DIR [flags]")
    .argument("<DIR>", "empty or new folder for the backup");
  addLocationFlags(command)
    .option(
      "--with-secrets",
      "include the server's keys, with which anyone could sign in as any user",
    )
    .option("--json", "print the result as JSON")
    .addHelpText("after", NOTES)
    .action(backup);
  await runCommand(command, args);
}

async function backup(folder: string, flags: Flags): Promise<void> {
  const plan = { ...resolveLocation(flags), folder, withSecrets: flags.withSecrets === true };
  const backup = await runWithProgress((tell) => makeBackup(plan, () => new Date(), tell));
  const { files, isLinked, ...summary } = backup;
  const counts = { files: files.length, bytes: totalBytes(backup), linked: isLinked };
  if (flags.json === true) printJson({ folder, ...summary, ...counts }, 2);
  else printLines(printBackup(folder, backup));
}

function printBackup(folder: string, backup: MadeBackup): string[] {
  const { files, isLinked, secrets, schema, release } = backup;
  const replays = files.filter(({ path }) => path.startsWith("replays/")).length;
  const size = `${files.length} files, ${toMib(totalBytes(backup))} MiB`;
  return [
    `${folder} contains the ladder as of ${backup.made}: ${size}, including ${replays} replays;`,
    `schema ${schema}, release ${release}.`,
    secrets
      ? "It contains the server's keys: protect it like a password."
      : "It doesn't contain the server's keys. For the consequences, see bout restore --help.",
    ...(isLinked ? ["Its files share the server's disk: copy it to another one."] : []),
  ];
}
