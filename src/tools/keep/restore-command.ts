// `bout restore`: a ladder from its backup.

import { complain, EXIT_FAILED, newCommand, runCommand, say, sayJson } from "#tools/cli/command.ts";

import { addPlaceFlags, placesOf, withProgress } from "./keep-command.ts";
import type { PlaceFlags } from "./keep-command.ts";
import { restoreBackup } from "./restore.ts";
import type { Restored } from "./restore.ts";

type Flags = PlaceFlags & { left?: string | null; json?: true };

const NOTES = `
The data folder is empty or not there yet; a PostgreSQL database is empty too. Every file is
compared with the backup's list before anything is written. Accounts that left after the backup are
in left.jsonl of the lost server's data folder: with --left they go again, without it they are back.
A backup without secrets brings back no keys: people sign in again, programs ask for access again,
and made-up flags (TEST-...) change. Bots, their tokens, agent keys, games and ratings stay.
Exit codes: 0 it is restored and sound, 1 it is not, 2 the call is wrong.`;

export async function runRestore(args: readonly string[]): Promise<void> {
  const command = newCommand("restore", "Bring a ladder back from a backup.")
    .usage("DIR [flags]")
    .argument("<DIR>", "a folder that bout backup has made")
    .option("--left <FILE>", "a later list of accounts that left: left.jsonl of the lost server");
  addPlaceFlags(command)
    .option("--json", "what was restored as JSON")
    .addHelpText("after", NOTES)
    .action(restore);
  await runCommand(command, args);
}

async function restore(folder: string, { left = null, json, ...flags }: Flags): Promise<void> {
  const plan = { ...placesOf(flags), folder, left };
  const restored = await withProgress((tell) => restoreBackup(plan, () => new Date(), tell));
  if (json === true) sayJson(asJson(restored), 2);
  else say(printRestored(plan.data, restored));
  const warnings = warningsOf(restored, left === null);
  if (warnings.length > 0) complain(...warnings);
  if (restored.faults.length > 0 || restored.replaysMissing > 0) process.exitCode = EXIT_FAILED;
}

function asJson({ manifest, left, unreadable, faults, replaysMissing }: Restored) {
  const { files: _, ...about } = manifest;
  return { ...about, left, unreadable, faults, replays_missing: replaysMissing };
}

function printRestored(data: string, { manifest, left, faults }: Restored): string[] {
  return [
    `${data} has the ladder as it was at ${manifest.made}.`,
    `accounts   ${left.length} had left since, and are gone again`,
    `database   ${faults.length === 0 ? "sound: a recount agrees with it" : "FAULTS"}`,
    ...faults.map((fault) => `  ${fault}`),
  ];
}

/** What must not be overlooked. */
function warningsOf(restored: Restored, isWithoutList: boolean): string[] {
  const { manifest, unreadable, replaysMissing } = restored;
  const lines = [
    isWithoutList
      ? `WARNING: without --left, accounts that left after ${manifest.made} are back. Whoever asked ` +
        "to be forgotten since must be removed by hand: look for left.jsonl of the lost server."
      : "",
    unreadable.length > 0
      ? `WARNING: these lines name no account, so somebody who left may be back: ${unreadable.join(", ")}`
      : "",
    replaysMissing > 0
      ? `WARNING: ${replaysMissing} matches have no replay, though they should.`
      : "",
    manifest.secrets
      ? ""
      : "The backup has no keys of the server. New ones are made at the next start: people sign in " +
        "again, programs ask for access again, and made-up flags (TEST-...) change.",
  ];
  return lines.filter((line) => line !== "");
}
