// Copies a ladder while the server is running. Files are copied first, then a consistent state of
// the database, then files that were added in the meantime. Because files never change once
// written, the copy has every file that the database refers to.

import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { FILE_MODE } from "#data/files/atomic-files.ts";
import { DELETED_ACCOUNTS_FILE } from "#data/files/deleted-accounts.ts";
import { freeBytes, toMib, FREE_SPACE_MARGIN, fileSize } from "#data/files/disk-space.ts";
import { changeOwner, makePrivateFolder, fileOwner } from "#data/files/private-folder.ts";
import { appliedSchema } from "#data/migrations/migrations.ts";
import { writeDatabaseCopy } from "#data/migrations/upgrade.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { RELEASE } from "#server/composition/release.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";

import {
  sumFileBytes,
  listDataFiles,
  placeFiles,
  choosePlacer,
  syncFolder,
  needsSpace,
} from "./data-files.ts";
import { completeBackup, DATABASE_FILES } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { dumpDatabase, readDatabaseSchema } from "./postgres-dump.ts";

export const SECRETS_FILE = "secrets.json";

export type BackupPlan = {
  data: string;
  /** URL of a PostgreSQL database; null for the database file in the data folder. */
  database: string | null;
  folder: string;
  withSecrets: boolean;
};

type ReportProgress = (statusText: string) => void;

export type MadeBackup = Manifest & {
  /** Whether the backup's files are hard links to the server's files. */
  isLinked: boolean;
};

/**
 * Rejects with CommandFailure, before changing anything, if the backup can't start. `wall` returns
 * the current time.
 */
export async function makeBackup(
  plan: BackupPlan,
  wall: () => Date,
  reportProgress: ReportProgress,
): Promise<MadeBackup> {
  const { data, database, folder } = plan;
  await assertLocations(plan);
  makePrivateFolder(folder);
  const placeFile = await choosePlacer(data, folder);
  await assertDiskSpace(plan, needsSpace(placeFile));
  const firstFiles = await placeFiles(
    data,
    folder,
    await listDataFiles(data),
    placeFile,
    reportProgress,
  );
  reportProgress("copying the database");
  const made = wall().toISOString();
  const databaseKind = database === null ? "sqlite" : "postgres";
  const schema = await copyDatabase(plan, join(folder, DATABASE_FILES[databaseKind]));
  reportProgress("files added meanwhile");
  const firstPaths = new Set(firstFiles);
  const newFiles = (await listDataFiles(data)).filter((path) => !firstPaths.has(path));
  const files = [
    ...firstFiles,
    ...(await placeFiles(data, folder, newFiles, placeFile, reportProgress)),
  ];
  const smallFiles = await copySmallFiles(plan);
  await syncFolder(folder);
  const backupFields = {
    made,
    release: RELEASE,
    schema,
    database: databaseKind,
    secrets: plan.withSecrets,
  };
  const allPaths = [...files, ...smallFiles, DATABASE_FILES[databaseKind]];
  const manifest = await completeBackup(
    folder,
    { ...backupFields, database: databaseKind },
    allPaths,
    reportProgress,
  );
  changeOwner(folder, fileOwner(data));
  return { ...manifest, isLinked: !needsSpace(placeFile) };
}

async function assertLocations({ data, database, folder, withSecrets }: BackupPlan): Promise<void> {
  const usageError = (problem: string) => new CommandFailure(problem, EXIT_USAGE);
  if (!existsSync(data)) throw usageError(`the data folder ${data} doesn't exist.`);
  if (database === null && !existsSync(join(data, DATABASE_FILES.sqlite)))
    throw usageError(`there is no database in ${data}. With PostgreSQL, set --database.`);
  if (withSecrets && !existsSync(join(data, SECRETS_FILE)))
    throw usageError(`there is no ${SECRETS_FILE} in ${data}.`);
  const existingNames = await readFolderNames(folder);
  if (existingNames === null) throw usageError(`${folder} is not a folder.`);
  if (existingNames.length > 0)
    throw usageError(`${folder} is not empty. Use a new folder for each backup.`);
}

/**
 * Returns null if the path exists but isn't a folder. Returns an empty list if it doesn't exist.
 */
export async function readFolderNames(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") return null;
    throw error;
  }
}

/** Counts a PostgreSQL database as 0 bytes, because its size isn't known here. */
async function assertDiskSpace(
  { data, database, folder }: BackupPlan,
  copiesFiles: boolean,
): Promise<void> {
  const path = join(data, DATABASE_FILES.sqlite);
  const databaseBytes = database === null ? fileSize(path) + fileSize(`${path}-wal`) : 0;
  const fileBytes = copiesFiles ? await sumFileBytes(data, await listDataFiles(data)) : 0;
  assertFreeSpace(folder, databaseBytes + fileBytes, "the backup");
}

/** Throws CommandFailure if the folder's disk has less than `bytes` free. */
export function assertFreeSpace(folder: string, bytes: number, purpose: string): void {
  const neededBytes = bytes + FREE_SPACE_MARGIN;
  const availableBytes = freeBytes(folder);
  if (availableBytes >= neededBytes) return;
  throw new CommandFailure(
    `${purpose} needs ${toMib(neededBytes)} MiB of free disk space, but only ${toMib(availableBytes)} MiB are free: ` +
      "nothing was written.",
    EXIT_FAILED,
  );
}

/** Resolves with the schema number, after the read transaction has ended. */
async function copyDatabase(
  { data, database: url }: BackupPlan,
  targetPath: string,
): Promise<number> {
  if (url !== null) {
    await dumpDatabase(url, targetPath);
    return readDatabaseSchema(url);
  }
  const sourcePath = join(data, DATABASE_FILES.sqlite);
  const { database } = sqliteBackend(sqliteDialect(sourcePath, "read"));
  try {
    await writeDatabaseCopy(database, targetPath);
    return await appliedSchema(database);
  } finally {
    await database.destroy();
  }
}

/**
 * Copied after the database, so that the list of deleted accounts includes every deletion that the
 * copied database lacks.
 */
async function copySmallFiles({ data, folder, withSecrets }: BackupPlan): Promise<string[]> {
  const leftList = await readFile(join(data, DELETED_ACCOUNTS_FILE)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    },
  );
  const options = { flag: "wx", flush: true, mode: FILE_MODE };
  await writeFile(join(folder, DELETED_ACCOUNTS_FILE), leftList, options);
  if (!withSecrets) return [DELETED_ACCOUNTS_FILE];
  await writeFile(join(folder, SECRETS_FILE), await readFile(join(data, SECRETS_FILE)), options);
  return [DELETED_ACCOUNTS_FILE, SECRETS_FILE];
}

export const totalBytes = ({ files }: Pick<Manifest, "files">): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);
