// A copy of a ladder, made while the server runs. First the files, which never change once
// they are there, then the database at one instant, then the files that came meanwhile: so whatever
// the database names is in the copy.

import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { giveTo, makeFolder, ownerOf } from "#data/files/folder.ts";
import { LEFT_FILE } from "#data/files/left.ts";
import { freeBytes, inMib, ROOM_MARGIN, sizeOf } from "#data/files/room.ts";
import { FILE_MODE } from "#data/files/whole-file.ts";
import { appliedSchema } from "#data/migrations/migrations.ts";
import { keepCopy } from "#data/migrations/upgrade.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { RELEASE } from "#server/composition/release.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";

import { dumpDatabase, schemaAt } from "./dump.ts";
import { bytesOf, keptFiles, placeFiles, placerFor, syncFolder, takesRoom } from "./kept-files.ts";
import { completeBackup, DATABASE_FILES } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";

export const SECRETS_FILE = "secrets.json";

export type BackupPlan = {
  data: string;
  /** Address of the PostgreSQL database; null for the file in the data folder. */
  database: string | null;
  folder: string;
  withSecrets: boolean;
};

type Tell = (news: string) => void;

export type MadeBackup = Manifest & {
  /** Whether its files are second names of the server's. */
  isLinked: boolean;
};

/** `wall` says the time. Rejects with CommandFailure, having touched nothing, if it cannot begin. */
export async function makeBackup(
  plan: BackupPlan,
  wall: () => Date,
  tell: Tell,
): Promise<MadeBackup> {
  const { data, database, folder } = plan;
  await assertPlaces(plan);
  makeFolder(folder);
  const place = await placerFor(data, folder);
  await assertRoom(plan, takesRoom(place));
  const early = await placeFiles(data, folder, await keptFiles(data), place, tell);
  tell("copying the database");
  const made = wall().toISOString();
  const kind = database === null ? "sqlite" : "postgres";
  const schema = await copyDatabase(plan, join(folder, DATABASE_FILES[kind]));
  tell("files that came meanwhile");
  const known = new Set(early);
  const late = (await keptFiles(data)).filter((path) => !known.has(path));
  const files = [...early, ...(await placeFiles(data, folder, late, place, tell))];
  const small = await copySmall(plan);
  await syncFolder(folder);
  const about = { made, release: RELEASE, schema, database: kind, secrets: plan.withSecrets };
  const all = [...files, ...small, DATABASE_FILES[kind]];
  const manifest = await completeBackup(folder, { ...about, database: kind }, all, tell);
  giveTo(folder, ownerOf(data));
  return { ...manifest, isLinked: !takesRoom(place) };
}

async function assertPlaces({ data, database, folder, withSecrets }: BackupPlan): Promise<void> {
  const refuse = (problem: string) => new CommandFailure(problem, EXIT_USAGE);
  if (!existsSync(data)) throw refuse(`there is no data folder ${data}.`);
  if (database === null && !existsSync(join(data, DATABASE_FILES.sqlite)))
    throw refuse(`there is no database in ${data}; with PostgreSQL, say --database.`);
  if (withSecrets && !existsSync(join(data, SECRETS_FILE)))
    throw refuse(`there is no ${SECRETS_FILE} in ${data}.`);
  const found = await namesIn(folder);
  if (found === null) throw refuse(`${folder} is no folder.`);
  if (found.length > 0)
    throw refuse(`${folder} is not empty: each backup has a folder of its own.`);
}

/** Null where something else has the name of the folder; it may be missing. */
export async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") return null;
    throw error;
  }
}

/** A dump is smaller than the database, whose size is not known here. */
async function assertRoom({ data, database, folder }: BackupPlan, copies: boolean): Promise<void> {
  const path = join(data, DATABASE_FILES.sqlite);
  const ofDatabase = database === null ? sizeOf(path) + sizeOf(`${path}-wal`) : 0;
  const ofFiles = copies ? await bytesOf(data, await keptFiles(data)) : 0;
  assertFree(folder, ofDatabase + ofFiles, "the backup");
}

/** Rejects with a CommandFailure where a folder's disk has no room for this many bytes. */
export function assertFree(folder: string, bytes: number, what: string): void {
  const needed = bytes + ROOM_MARGIN;
  const free = freeBytes(folder);
  if (free >= needed) return;
  throw new CommandFailure(
    `${what} needs ${inMib(needed)} MiB of free disk, and there are ${inMib(free)}: ` +
      "nothing was written.",
    EXIT_FAILED,
  );
}

/** Resolves with the number of its schema. The read transaction is over by then. */
async function copyDatabase({ data, database: url }: BackupPlan, to: string): Promise<number> {
  if (url !== null) {
    await dumpDatabase(url, to);
    return schemaAt(url);
  }
  const from = join(data, DATABASE_FILES.sqlite);
  const { database } = sqliteBackend(sqliteDialect(from, "read"));
  try {
    await keepCopy(database, to);
    return await appliedSchema(database);
  } finally {
    await database.destroy();
  }
}

/** The list of those who left comes after the database, so it has all who are not in that. */
async function copySmall({ data, folder, withSecrets }: BackupPlan): Promise<string[]> {
  const left = await readFile(join(data, LEFT_FILE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const options = { flag: "wx", flush: true, mode: FILE_MODE };
  await writeFile(join(folder, LEFT_FILE), left, options);
  if (!withSecrets) return [LEFT_FILE];
  await writeFile(join(folder, SECRETS_FILE), await readFile(join(data, SECRETS_FILE)), options);
  return [LEFT_FILE, SECRETS_FILE];
}

/** Bytes of all files of a backup. */
export const bytesIn = ({ files }: Pick<Manifest, "files">): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);
