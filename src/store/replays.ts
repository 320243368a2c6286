import { randomUUID } from "node:crypto";
import { closeSync, fsync, openSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { storeError, StoreError } from "./errors.ts";

/** Replay files by match id. A file is there whole or not at all, also after a crash. */
export type Replays = {
  /**
   * Resolves when the file will survive a power cut. Rejects with StoreError. The copy to the
   * system's memory blocks the calling thread, which must not be one that serves matches.
   */
  write(id: string, compressed: Uint8Array): Promise<void>;
  /** The gzip bytes as written, null when there is no such replay. */
  read(id: string): Promise<Uint8Array | null>;
  path(id: string): string;
  remove(id: string): Promise<void>;
  /** Removes half-written files and replays of unknown matches; the removed names, sorted. */
  sweep(knownIds: Iterable<string>): Promise<string[]>;
};

const PRIVATE_DIRECTORY = 0o700;
const EXTENSION = ".jsonl.gz";
const TEMPORARY = ".tmp";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Opens the folder of replays, which is made for the owner alone. */
export async function openReplays(folder: string): Promise<Replays> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_DIRECTORY });
  const syncFolder = shared(() => sync(folder));
  const path = (id: string) => join(folder, fileName(id));
  return {
    path,
    write: (id, compressed) => typed(() => writeWhole(path(id), compressed, syncFolder)),
    read: (id) => typed(() => readIfThere(path(id))),
    remove: (id) => typed(() => rm(path(id), { force: true })),
    sweep: (knownIds) => typed(() => sweep(folder, knownIds)),
  };
}

/** Only ids in the form of a UUID name a file, so no id leads out of the folder. */
function fileName(id: string): string {
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

async function writeWhole(
  path: string,
  bytes: Uint8Array,
  syncFolder: () => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}${TEMPORARY}`;
  try {
    await writeSynced(temporary, bytes);
    renameSync(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder();
}

const synced = promisify(fsync);

// Only the disk is waited for beside the thread: a promise for each of the other calls costs more
// than the call.
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, bytes);
    await synced(file);
  } finally {
    closeSync(file);
  }
}

async function sync(folder: string): Promise<void> {
  const directory = openSync(folder, "r");
  try {
    await synced(directory);
  } finally {
    closeSync(directory);
  }
}

/** Those who come while a run is under way share the one that starts after it. */
function shared(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  return () => {
    next ??= (async () => {
      await last?.catch(() => {});
      last = next;
      next = null;
      await run();
    })();
    return next;
  };
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function sweep(folder: string, knownIds: Iterable<string>): Promise<string[]> {
  const known = new Set([...knownIds].map((id) => id + EXTENSION));
  const names = await readdir(folder);
  const strays = names.filter((name) => isOurs(name) && !known.has(name)).toSorted();
  for (const name of strays) await rm(join(folder, name), { force: true });
  return strays;
}

/** A file of another kind in the folder is nobody's business here. */
function isOurs(name: string): boolean {
  return name.endsWith(EXTENSION) || name.endsWith(TEMPORARY);
}
