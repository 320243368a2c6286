// `bout restore`: a ladder from its backup.

import { complain, EXIT_FAILED, newCommand, runCommand, say, sayJson } from "#tools/cli/command.ts";

import { addPlaceFlags, placesOf, withProgress } from "./keep-command.ts";
import type { PlaceFlags } from "./keep-command.ts";
import { restoreBackup } from "./restore.ts";
import type { Restored, RestorePlan } from "./restore.ts";

type Flags = PlaceFlags & {
  left?: string | null;
  revoked?: string | null;
  withoutKeys?: true;
  json?: true;
};

const NOTES = `
The data folder is empty or not there yet; a PostgreSQL database is empty too. Every file is
compared with the backup's list before anything is written. Accounts that left after the backup are
in left.jsonl of the lost server's data folder: with --left they go again, without it they are back.
A backup without secrets brings back no keys: people sign in again, programs ask for access again,
and made-up flags (TEST-...) change. Bots, their tokens, agent keys, games and ratings stay.
Agent keys, app authorizations, sessions, passwords, roles, bans and bot tokens are those of the
backup. With --revoked, the output lists what was revoked since and works again. --without-keys
revokes all agent keys, app authorizations and sessions; people sign in again and make new keys. Bot
tokens and passwords stay.
Exit codes: 0 it is restored and sound, 1 it is not, 2 the call is wrong.`;

export async function runRestore(args: readonly string[]): Promise<void> {
  const command = newCommand("restore", "Bring a ladder back from a backup.")
    .usage("DIR [flags]")
    .argument("<DIR>", "a folder that bout backup has made")
    .option("--left <FILE>", "a later list of accounts that left: left.jsonl of the lost server");
  command
    .option("--revoked <FILE>", "list what was revoked since: revoked.jsonl of the lost server")
    .option("--without-keys", "revoke all agent keys, app authorizations and sessions");
  addPlaceFlags(command)
    .option("--json", "what was restored as JSON")
    .addHelpText("after", NOTES)
    .action(restore);
  await runCommand(command, args);
}

async function restore(folder: string, given: Flags): Promise<void> {
  const { left = null, revoked = null, withoutKeys = false, json, ...flags } = given;
  const plan = { ...placesOf(flags), folder, left, revoked, withoutKeys };
  const restored = await withProgress((tell) => restoreBackup(plan, () => new Date(), tell));
  if (json === true) sayJson(asJson(restored), 2);
  else say(printRestored(plan, restored));
  const warnings = warningsOf(restored, plan);
  if (warnings.length > 0) complain(...warnings);
  if (restored.faults.length > 0 || restored.replaysMissing > 0) process.exitCode = EXIT_FAILED;
}

function asJson({ manifest, access, left, unreadable, faults, replaysMissing, undone }: Restored) {
  const { files: _, ...about } = manifest;
  const { agentKeys, apps, ...rest } = access;
  const restoredAccess = {
    agent_keys: agentKeys,
    apps: apps.map(({ clientId, ...app }) => ({ client_id: clientId, ...app })),
    ...rest,
  };
  const lists = { left, unreadable, faults, replays_missing: replaysMissing };
  return { ...about, ...lists, access: restoredAccess, undone };
}

function printRestored(plan: RestorePlan, { manifest, access, left, faults }: Restored): string[] {
  const { agentKeys, apps, sessions, admins, banned, bots } = access;
  const ofAccounts = (names: readonly { label: string; account: string }[]) =>
    listed(names.map(({ label, account }) => `${account}: ${label}`));
  const revoked = plan.withoutKeys ? "all revoked" : null;
  return [
    `${plan.data} has the ladder as it was at ${manifest.made}.`,
    `accounts   ${left.length} had left since, and are gone again`,
    `agent keys ${revoked ?? ofAccounts(agentKeys)}`,
    `apps       ${revoked ?? ofAccounts(apps.map(({ name, account }) => ({ label: name, account })))}`,
    `sessions   ${manifest.secrets ? sessions : "none: the backup has no keys of the server"}`,
    `admins     ${listed(admins)}, and the addresses of --admin-email`,
    `banned     ${listed(banned)}`,
    `bots       ${bots} with the tokens of the backup`,
    `database   ${faults.length === 0 ? "sound: a recount agrees with it" : "FAULTS"}`,
    ...faults.map((fault) => `  ${fault}`),
  ];
}

/** Names in a line of the summary; --json has all. */
const MOST_NAMES = 20;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return `${names.length} (${shown}${more > 0 ? `, and ${more} more` : ""})`;
}

/** What must not be overlooked. */
function warningsOf(restored: Restored, plan: RestorePlan): string[] {
  const { manifest, unreadable, replaysMissing } = restored;
  const lines = [
    plan.left === null
      ? `WARNING: without --left, accounts that left after ${manifest.made} are back. Whoever asked ` +
        "to be forgotten since must be removed by hand: look for left.jsonl of the lost server."
      : "",
    ...undoneWarning(restored, plan),
    unreadable.length > 0
      ? `WARNING: these lines of lists can't be read, so what they list is restored: ${unreadable.join(", ")}`
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

function undoneWarning({ manifest, undone }: Restored, { withoutKeys }: RestorePlan): string[] {
  if (undone === null)
    return [
      "WARNING: without --revoked, this restore may undo changes of access made after " +
        `${manifest.made}: ${withoutKeys ? "" : "agent keys, apps and sessions that were revoked, "}roles, ` +
        "bans, passwords and replaced bot tokens. Look for revoked.jsonl of the lost server." +
        (withoutKeys ? "" : " --without-keys revokes all keys, apps and sessions."),
    ];
  if (undone.length === 0) return [];
  return [
    "WARNING: this restore undid these changes of access:",
    ...undone.map((line) => `  ${line}`),
  ];
}
