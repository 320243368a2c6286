import {
  printErrorLines,
  EXIT_FAILED,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";

import { addLocationFlags, resolveLocation, runWithProgress } from "./location-flags.ts";
import type { LocationFlags } from "./location-flags.ts";
import { restoreBackup } from "./restore.ts";
import type { RestoreResult, RestorePlan } from "./restore.ts";

type Flags = LocationFlags & {
  left?: string | null;
  revoked?: string | null;
  withoutKeys?: true;
  json?: true;
};

const NOTES = `
The data folder must be empty or missing; a PostgreSQL database must be empty. All files are
checked against the backup's manifest before anything is written. Accounts deleted after the backup
are listed in left.jsonl from the lost server: with --left they are deleted again, without it they
are restored. After a backup without secrets, people sign in again, apps ask for access again, and
generated flags (TEST-...) change. Bots, their tokens, agent keys, matches and ratings don't change.
Agent keys, app authorizations, sessions, passwords, roles, bans and bot tokens are restored from
the backup. With --revoked, the output lists revocations that the restore undid. --without-keys
revokes all agent keys, app authorizations and sessions: people sign in again and create new keys.
Bot tokens and passwords don't change.
Exit codes: 0 restored and verified, 1 failed, 2 invalid arguments.`;

export async function runRestore(args: readonly string[]): Promise<void> {
  const command = createCommand("restore", "Restore a ladder from a backup.")
    .usage("DIR [flags]")
    .argument("<DIR>", "folder made by bout backup")
    .option("--left <FILE>", "newer list of deleted accounts: left.jsonl from the lost server");
  command
    .option(
      "--revoked <FILE>",
      "list revocations that the restore undid: revoked.jsonl from the lost server",
    )
    .option("--without-keys", "revoke all agent keys, app authorizations and sessions");
  addLocationFlags(command)
    .option("--json", "print the result as JSON")
    .addHelpText("after", NOTES)
    .action(restoreLadder);
  await runCommand(command, args);
}

async function restoreLadder(folder: string, flagValues: Flags): Promise<void> {
  const { left = null, revoked = null, withoutKeys = false, json, ...flags } = flagValues;
  const plan = { ...resolveLocation(flags), folder, left, revoked, withoutKeys };
  const restoreResult = await runWithProgress((tell) =>
    restoreBackup(plan, () => new Date(), tell),
  );
  if (json === true) printJson(toRestoreJson(restoreResult), 2);
  else printLines(printRestored(plan, restoreResult));
  const warnings = collectWarnings(restoreResult, plan);
  if (warnings.length > 0) printErrorLines(...warnings);
  if (restoreResult.faults.length > 0 || restoreResult.replaysMissing > 0)
    process.exitCode = EXIT_FAILED;
}

function toRestoreJson({
  manifest,
  access,
  left,
  unreadable,
  faults,
  replaysMissing,
  undone,
}: RestoreResult) {
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

function printRestored(
  plan: RestorePlan,
  { manifest, access, left, faults }: RestoreResult,
): string[] {
  const { agentKeys, apps, sessions, admins, banned, bots } = access;
  const formatByAccount = (names: readonly { label: string; account: string }[]) =>
    formatNames(names.map(({ label, account }) => `${account}: ${label}`));
  const revoked = plan.withoutKeys ? "all revoked" : null;
  return [
    `${plan.data} contains the ladder as of ${manifest.made}.`,
    `accounts   ${left.length} deleted after the backup, deleted again`,
    `agent keys ${revoked ?? formatByAccount(agentKeys)}`,
    `apps       ${revoked ?? formatByAccount(apps.map(({ name, account }) => ({ label: name, account })))}`,
    `sessions   ${manifest.secrets ? sessions : "none: the backup doesn't contain the server's keys"}`,
    `admins     ${formatNames(admins)}, and the addresses in --admin-email`,
    `banned     ${formatNames(banned)}`,
    `bots       ${bots} with the tokens from the backup`,
    `database   ${faults.length === 0 ? "sound: a recount matches" : "FAULTS"}`,
    ...faults.map((fault) => `  ${fault}`),
  ];
}

const MAX_LISTED_NAMES = 20;

function formatNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const hiddenCount = names.length - MAX_LISTED_NAMES;
  const shownNames = names.slice(0, MAX_LISTED_NAMES).join(", ");
  return `${names.length} (${shownNames}${hiddenCount > 0 ? `, and ${hiddenCount} more` : ""})`;
}

function collectWarnings(restoreResult: RestoreResult, plan: RestorePlan): string[] {
  const { manifest, unreadable, replaysMissing } = restoreResult;
  const lines = [
    plan.left === null
      ? `WARNING: without --left, accounts deleted after ${manifest.made} are back. You must delete ` +
        "them again yourself: look for left.jsonl from the lost server."
      : "",
    ...createUndoneWarning(restoreResult, plan),
    unreadable.length > 0
      ? `WARNING: these list lines can't be read, so their accounts or revocations are restored: ${unreadable.join(", ")}`
      : "",
    replaysMissing > 0 ? `WARNING: the replays of ${replaysMissing} matches are missing.` : "",
    manifest.secrets
      ? ""
      : "The backup doesn't contain the server's keys. New keys are created at the next startup: people sign in " +
        "again, apps ask for access again, and generated flags (TEST-...) change.",
  ];
  return lines.filter((line) => line !== "");
}

function createUndoneWarning(
  { manifest, undone }: RestoreResult,
  { withoutKeys }: RestorePlan,
): string[] {
  if (undone === null)
    return [
      "WARNING: without --revoked, this restore may undo access changes made after " +
        `${manifest.made}: ${withoutKeys ? "" : "revoked agent keys, apps and sessions, "}roles, ` +
        "bans, passwords and replaced bot tokens. Look for revoked.jsonl from the lost server." +
        (withoutKeys ? "" : " --without-keys revokes all keys, apps and sessions."),
    ];
  if (undone.length === 0) return [];
  return [
    "WARNING: this restore undid these access changes:",
    ...undone.map((line) => `  ${line}`),
  ];
}
