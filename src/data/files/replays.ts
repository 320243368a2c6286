import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Stats } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { storeError, StoreError } from "#data/store/errors.ts";

import { makeFolder } from "./folder.ts";
import { FILE_MODE, readIfThere, synced, TEMPORARY, wholeFiles } from "./whole-file.ts";

/** Replay files by match id. A file exists completely or not at all, even after a crash. */
export type Replays = {
  /**
   * Resolves once the file will survive a power cut. Rejects with StoreError. Copying to the page
   * cache blocks the calling thread, which must not be one that serves matches.
   */
  write(id: string, compressed: Uint8Array): Promise<void>;
  /** The gzip bytes as written; null when there is no such replay. */
  read(id: string): Promise<Uint8Array | null>;
  path(id: string): string;
  /** Resolves with the bytes that are free again. A folder of that name is left alone. */
  remove(id: string): Promise<number>;
  /**
   * Removes half-written files and replays of unknown matches older than `before`, in ms since
   * 1970: a younger replay's match may be about to be stored.
   */
  sweep(knownIds: Iterable<string>, before: number): Promise<Swept>;
};

/** Sorted names. */
type Swept = {
  removed: string[];
  /** Folders, where only files belong; they are left alone. */
  folders: string[];
};

const EXTENSION = ".jsonl.gz";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opens the folder of replays, or makes it for the owner alone. */
export async function openReplays(folder: string): Promise<Replays> {
  makeFolder(folder);
  const files = wholeFiles(folder);
  const path = (id: string) => join(folder, replayFileName(id));
  return {
    path,
    write: (id, compressed) =>
      typed(() =>
        withFolder(folder, () =>
          files.put(path(id), (temporary) => writeSynced(temporary, compressed)),
        ),
      ),
    read: (id) => typed(() => readIfThere(path(id))),
    remove: (id) => typed(() => removeFile(path(id))),
    sweep: (knownIds, before) => typed(() => sweep(folder, knownIds, before)),
  };
}

/** Makes the folder again and retries if it was deleted while the server runs. */
async function withFolder(folder: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    makeFolder(folder);
    await write();
  }
}

/** Only ids in the form of a UUID name a file, so no id leads out of the folder. */
export function replayFileName(id: string): string {
  if (!UUID.test(id)) throw new StoreError("invalid", "a replay is named by its match's id");
  return id + EXTENSION;
}

async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeError(error);
  }
}

// Only the fsync leaves this thread: for the other calls a promise costs more than the call itself.
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(path, "wx", FILE_MODE);
  try {
    writeFileSync(file, bytes);
    await synced(file);
  } finally {
    closeSync(file);
  }
}

async function sweep(folder: string, knownIds: Iterable<string>, before: number): Promise<Swept> {
  const known = new Set([...knownIds].map((id) => id + EXTENSION));
  const entries = await readdir(folder, { withFileTypes: true });
  const ours = entries.filter(({ name }) => isOurs(name));
  const namesOf = (isFolder: boolean) =>
    ours.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => name);
  const removed: string[] = [];
  for (const name of namesOf(false).toSorted())
    if (!known.has(name) && (await removeOlder(join(folder, name), before))) removed.push(name);
  return { removed, folders: namesOf(true).toSorted() };
}

/** Whether the file existed and was old enough. */
async function removeOlder(path: string, before: number): Promise<boolean> {
  const found = await lookAt(path);
  if (found === null || found.mtimeMs >= before) return false;
  await rm(path, { force: true });
  return true;
}

async function removeFile(path: string): Promise<number> {
  const found = await lookAt(path);
  if (found === null || found.isDirectory()) return 0;
  await rm(path, { force: true });
  return found.size;
}

/** Null when nothing has that name. */
async function lookAt(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Other files in the folder are left alone. */
function isOurs(name: string): boolean {
  return name.endsWith(EXTENSION) || name.endsWith(TEMPORARY);
}
