// Restores a ladder from its backup into an empty data folder. Files are first written to a staging
// folder and moved at the end, the database last, so an interrupted restore leaves no ladder
// behind.

import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { newId } from "#base/clock/clock.ts";
import { DAY_MS, SECOND_MS } from "#base/util/time.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { FILE_MODE } from "#data/files/atomic-files.ts";
import {
  DELETED_ACCOUNTS_FILE,
  parseDeletedAccounts,
  serializeDeletedAccounts,
} from "#data/files/deleted-accounts.ts";
import type { DeletedAccountEntry } from "#data/files/deleted-accounts.ts";
import { changeOwner, makePrivateFolder, fileOwner } from "#data/files/private-folder.ts";
import { openReplays } from "#data/files/replays.ts";
import {
  latestRevocations,
  parseRevocations,
  serializeRevocations,
  REVOCATIONS_FILE,
} from "#data/files/revocations.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { lockServer } from "#server/composition/server-lock.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";
import { accountSubject, newAuditEntry } from "#web/auth/audit-entry.ts";

import { assertFreeSpace, totalBytes, readFolderNames, SECRETS_FILE } from "./backup.ts";
import { copyDurably, placeFiles, syncFolder } from "./data-files.ts";
import { DATABASE_FILES, findBackupFaults, readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { isDatabaseEmpty, loadDump } from "./postgres-dump.ts";
import { collectAccess, revokeAllKeys, findUndoneRevocations } from "./restored-access.ts";
import type { RestoredAccess } from "./restored-access.ts";

export type RestorePlan = {
  folder: string;
  /** Path to a newer list of deleted accounts, or null. */
  left: string | null;
  /** Path to the lost server's list of revocations, or null. */
  revoked: string | null;
  withoutKeys: boolean;
  data: string;
  database: string | null;
};

export type RestoreResult = {
  manifest: Manifest;
  /** Ids of accounts deleted after the backup, which the restore deleted again. */
  left: string[];
  /** Unreadable lines in the lists, as `file:line`. */
  unreadable: string[];
  access: RestoredAccess;
  /** One line for each revocation that the restore undoes; null if no list was given. */
  undone: string[] | null;
  faults: string[];
  replaysMissing: number;
};

type ReportProgress = (news: string) => void;

const STAGING_FOLDER = "restoring";

/**
 * Rejects with CommandFailure, InvalidBackupError or LockHeld, before changing anything, if the
 * restore can't start.
 */
export async function restoreBackup(
  plan: RestorePlan,
  wall: () => Date,
  reportProgress: ReportProgress,
): Promise<RestoreResult> {
  const { folder, data, database } = plan;
  const manifest = await readManifest(folder);
  await assertTarget(plan, manifest);
  await assertIntact(folder, manifest, reportProgress);
  const lists = await readLists(plan);
  const owner = fileOwner(existsSync(data) ? data : folder);
  makePrivateFolder(data);
  assertFreeSpace(data, totalBytes(manifest), "the restored ladder");
  await using _ = await lockServer({ data, database, waitMs: 0 }, () => {});
  const stagingFolder = join(data, STAGING_FOLDER);
  makePrivateFolder(stagingFolder);
  const paths = manifest.files.map(({ path }) => path);
  const folderPaths = paths.filter((path) => path.includes("/"));
  await placeFiles(folder, stagingFolder, folderPaths, copyDurably, reportProgress);
  for (const name of [DATABASE_FILES.sqlite, SECRETS_FILE])
    if (paths.includes(name)) await copyDurably(join(folder, name), join(stagingFolder, name));
  const leftText = serializeDeletedAccounts(lists.notes);
  await writeFile(join(stagingFolder, DELETED_ACCOUNTS_FILE), leftText, {
    flag: "wx",
    flush: true,
    mode: FILE_MODE,
  });
  if (lists.revocations !== null) {
    const text = serializeRevocations(lists.revocations);
    await writeFile(join(stagingFolder, REVOCATIONS_FILE), text, {
      flag: "wx",
      flush: true,
      mode: FILE_MODE,
    });
  }
  reportProgress("the database");
  const databaseResult = await withDatabase(plan, stagingFolder, reportProgress, async (store) => {
    const settleResult = await applyLeftAccounts(
      store,
      lists.notes,
      join(stagingFolder, "replays"),
      wall,
    );
    if (plan.withoutKeys) await revokeAllKeys(store, wall);
    const { revocations } = lists;
    const undone = revocations && (await findUndoneRevocations(store, revocations, manifest.made));
    return { ...settleResult, access: await collectAccess(store), undone };
  });
  await publishFiles(stagingFolder, data);
  changeOwner(data, owner);
  return { manifest, unreadable: lists.unreadable, ...databaseResult };
}

async function readLists({ folder, left, revoked }: RestorePlan) {
  const files = [join(folder, DELETED_ACCOUNTS_FILE), ...(left === null ? [] : [left])];
  const notes = new Map<string, DeletedAccountEntry>();
  const unreadable: string[] = [];
  for (const file of files) {
    const parsedList = parseDeletedAccounts(await readList(file));
    for (const note of parsedList.items) notes.set(note.account, note);
    unreadable.push(...parsedList.unreadable.map((line) => `${file}:${line}`));
  }
  if (revoked === null) return { notes: [...notes.values()], revocations: null, unreadable };
  const { items: revocationItems, unreadable: lines } = parseRevocations(await readList(revoked));
  unreadable.push(...lines.map((line) => `${revoked}:${line}`));
  return {
    notes: [...notes.values()],
    revocations: latestRevocations(revocationItems),
    unreadable,
  };
}

async function readList(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`${file} can't be read (${code}).`, EXIT_USAGE);
  }
}

async function assertTarget({ data, database }: RestorePlan, manifest: Manifest): Promise<void> {
  const usageError = (problem: string) => new CommandFailure(problem, EXIT_USAGE);
  const existingNames = await readFolderNames(data);
  if (existingNames === null) throw usageError(`${data} is not a folder.`);
  if (existingNames.length > 0)
    throw usageError(`${data} is not empty. Restore into an empty folder.`);
  if (manifest.database === "postgres" && database === null)
    throw usageError("this is a backup of a PostgreSQL database: set --database to an empty one.");
  if (manifest.database === "sqlite" && database !== null)
    throw usageError("this is a backup of an SQLite database: omit --database.");
  if (manifest.schema > NEWEST_SCHEMA)
    throw usageError(
      `this backup has schema ${manifest.schema}, but this release supports up to ${NEWEST_SCHEMA}. ` +
        `Use release ${manifest.release} or newer.`,
    );
  if (database !== null && !(await isDatabaseEmpty(database)))
    throw usageError("the database is not empty. Restore into an empty one.");
}

const MAX_FAULT_LINES = 20;

async function assertIntact(
  folder: string,
  manifest: Manifest,
  reportProgress: ReportProgress,
): Promise<void> {
  const faults = await findBackupFaults(folder, manifest, reportProgress);
  if (faults.length === 0) return;
  const hiddenCount = faults.length - MAX_FAULT_LINES;
  const lines = [
    ...faults.slice(0, MAX_FAULT_LINES),
    ...(hiddenCount > 0 ? [`and ${hiddenCount} more`] : []),
  ];
  const text = `${folder} has changed since it was made, so nothing was restored:\n${lines.join("\n")}`;
  throw new CommandFailure(text, EXIT_FAILED);
}

async function withDatabase<T>(
  { folder, database }: RestorePlan,
  stagingFolder: string,
  reportProgress: ReportProgress,
  useStore: (store: Store) => Promise<T>,
): Promise<T> {
  if (database !== null) await loadDump(database, join(folder, DATABASE_FILES.postgres));
  const upgrade: UpgradeOptions = { keepsCopy: false, log: ({ msg }) => reportProgress(msg) };
  const location = database === null ? { data: stagingFolder } : { postgres: database };
  const store = await openStore(location, undefined, upgrade);
  try {
    return await useStore(store);
  } finally {
    await store.close();
  }
}

async function applyLeftAccounts(
  store: Store,
  notes: readonly DeletedAccountEntry[],
  folder: string,
  wall: () => Date,
): Promise<Pick<RestoreResult, "left" | "faults" | "replaysMissing">> {
  const left: string[] = [];
  for (const leftNote of notes)
    if (await deleteAgain(store, leftNote, wall)) left.push(leftNote.account);
  const ids = await store.replays.ids();
  const replays = await openReplays(folder);
  await replays.sweepReplays(ids, Infinity);
  const replaysMissing = ids.filter((id) => !existsSync(replays.path(id))).length;
  return { left, faults: await store.database.faults(), replaysMissing };
}

/** Deletes an account as its owner would have. Returns false if the account doesn't exist. */
async function deleteAgain(
  store: Store,
  { account: id, at }: DeletedAccountEntry,
  wall: () => Date,
): Promise<boolean> {
  const account = await store.accounts.byId(id);
  if (account === null) return false;
  const time = Date.parse(at);
  const until = new Date(time + FIXED_LIMITS.former_names_days * DAY_MS).toISOString();
  const secondOfDay = Math.floor(time / SECOND_MS);
  const detail = { left: at, restored: true };
  const deps = { newId, clock: wall };
  const note = newAuditEntry(deps, SYSTEM_ACTOR, "account.left", accountSubject(account), {
    detail,
  });
  await store.accounts.delete(id, { at, until, second: secondOfDay, ban: null, inMatch: [] }, note);
  return true;
}

/** Moves the database last, because a folder without a database isn't a ladder yet. */
async function publishFiles(stagingFolder: string, data: string): Promise<void> {
  const names = await readdir(stagingFolder);
  const isDatabase = (name: string) => name === DATABASE_FILES.sqlite;
  for (const name of names.toSorted((a, b) => +isDatabase(a) - +isDatabase(b)))
    await rename(join(stagingFolder, name), join(data, name));
  await syncFolder(data);
  await rm(stagingFolder, { recursive: true });
}
