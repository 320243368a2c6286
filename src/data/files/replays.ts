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

/** Replay files by match ID. After a crash, a file is either complete or missing. */
export type Replays = {
  /**
   * Resolves once the file is durable. Rejects with StoreError. Blocks the calling thread while it
   * copies to the page cache, so don't call it from the thread that serves matches.
   */
  write(id: string, compressed: Uint8Array): Promise<void>;
  /** Returns the gzip bytes as written, or null if the replay doesn't exist. */
  read(id: string): Promise<Uint8Array | null>;
  path(id: string): string;
  /** Deletes a replay and returns the bytes freed. Ignores a folder with that name. */
  remove(id: string): Promise<number>;
  /**
   * Deletes partial files, and replays of unknown matches older than `beforeMs` (Unix ms). The
   * match of a newer replay may not be stored yet.
   */
  sweepReplays(knownIds: Iterable<string>, beforeMs: number): Promise<ReplaySweepResult>;
};

type ReplaySweepResult = {
  removed: string[];
  /** Names of unexpected folders, which aren't deleted. */
  folders: string[];
};

const EXTENSION = ".jsonl.gz";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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

/** If the folder was deleted while the server is running, recreates it and retries. */
async function retryWithFolder(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    makePrivateFolder(folder);
    await write();
  }
}

/** Accepts only UUIDs, so that no path can leave the folder. */
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

// Only the fsync is asynchronous: for every other call, a promise costs more than the call itself.
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

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Returns whether this module created the file. */
function isOwnFile(name: string): boolean {
  return name.endsWith(EXTENSION) || name.endsWith(TEMPORARY_SUFFIX);
}
