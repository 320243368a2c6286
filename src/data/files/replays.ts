import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { toStoreError, StoreError } from "#data/store/errors.ts";

import {
  FILE_MODE,
  readFileOrNull,
  fsyncAsync,
  TEMPORARY_SUFFIX,
  openAtomicFiles,
} from "./atomic-files.ts";
import { makePrivateFolder } from "./private-folder.ts";

/** Replay files by match ID. A file exists completely or not at all, even after a crash. */
export type Replays = {
  /**
   * Resolves once the file is durable. Rejects with StoreError. Copying to the page cache blocks
   * the calling thread, so don't call it from the thread that serves matches.
   */
  write(id: string, compressed: Uint8Array): Promise<void>;
  /** Returns the gzip bytes as written; null if the replay doesn't exist. */
  read(id: string): Promise<Uint8Array | null>;
  path(id: string): string;
  /** Returns the bytes freed. A folder with that name is left alone. */
  remove(id: string): Promise<number>;
  /**
   * Removes half-written files, and replays of unknown matches older than `beforeMs` (Unix ms): the
   * match of a younger replay may be about to be stored.
   */
  sweepReplays(knownIds: Iterable<string>, beforeMs: number): Promise<ReplaySweepResult>;
};

/** Sorted names. */
type ReplaySweepResult = {
  removed: string[];
  /** Unexpected folders, which are left alone. */
  folders: string[];
};

const EXTENSION = ".jsonl.gz";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opens the replay folder, creating it with owner-only permissions if needed. */
export async function openReplays(folder: string): Promise<Replays> {
  makePrivateFolder(folder);
  const files = openAtomicFiles(folder);
  const replayPath = (id: string) => join(folder, replayFileName(id));
  return {
    path: replayPath,
    write: (id, compressed) =>
      withStoreErrors(() =>
        retryWithFolder(folder, () =>
          files.put(replayPath(id), (temporary) => writeSynced(temporary, compressed)),
        ),
      ),
    read: (id) => withStoreErrors(() => readFileOrNull(replayPath(id))),
    remove: (id) => withStoreErrors(() => removeFile(replayPath(id))),
    sweepReplays: (knownIds, beforeMs) =>
      withStoreErrors(() => sweepReplays(folder, knownIds, beforeMs)),
  };
}

/** Recreates the folder and retries if it was deleted while the server runs. */
async function retryWithFolder(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    makePrivateFolder(folder);
    await write();
  }
}

/** Only UUIDs are accepted as file names, so no path can leave the folder. */
export function replayFileName(id: string): string {
  if (!UUID.test(id)) throw new StoreError("invalid", "replay name must be its match ID");
  return id + EXTENSION;
}

async function withStoreErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}

// Only the fsync is asynchronous: for the other calls a promise costs more than the call.
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(path, "wx", FILE_MODE);
  try {
    writeFileSync(file, bytes);
    await fsyncAsync(file);
  } finally {
    closeSync(file);
  }
}

async function sweepReplays(
  folder: string,
  knownIds: Iterable<string>,
  beforeMs: number,
): Promise<ReplaySweepResult> {
  const knownNames = new Set([...knownIds].map((id) => id + EXTENSION));
  const entries = await readdir(folder, { withFileTypes: true });
  const ownEntries = entries.filter(({ name }) => isOwnFile(name));
  const namesOf = (isFolder: boolean) =>
    ownEntries.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => name);
  const removed: string[] = [];
  for (const name of namesOf(false).toSorted())
    if (!knownNames.has(name) && (await removeIfOlder(join(folder, name), beforeMs)))
      removed.push(name);
  return { removed, folders: namesOf(true).toSorted() };
}

/** Whether the file existed and was old enough. */
async function removeIfOlder(path: string, beforeMs: number): Promise<boolean> {
  const stats = await lstatOrNull(path);
  if (stats === null || stats.mtimeMs >= beforeMs) return false;
  await rm(path, { force: true });
  return true;
}

async function removeFile(path: string): Promise<number> {
  const stats = await lstatOrNull(path);
  if (stats === null || stats.isDirectory()) return 0;
  await rm(path, { force: true });
  return stats.size;
}

/** Null if the name doesn't exist. */
async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Leaves other files in the folder alone. */
function isOwnFile(name: string): boolean {
  return name.endsWith(EXTENSION) || name.endsWith(TEMPORARY_SUFFIX);
}
