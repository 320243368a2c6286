// Atomic files: they exist completely or not at all, even after a crash.

import { randomUUID } from "node:crypto";
import { closeSync, fsync, openSync, renameSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";

/** File name suffix of an incomplete file. */
export const TEMPORARY_SUFFIX = ".tmp";

/** Owner-only permissions. */
export const FILE_MODE = 0o600;

export const fsyncAsync = promisify(fsync);

/** `writeTo` creates the file under the given name and returns once it is on disk. */
type FileWriter = (temporary: string) => Promise<void>;

export type AtomicFiles = {
  /** Resolves once the file is durable. Replaces an older file. */
  put(path: string, writeTo: FileWriter): Promise<void>;
};

/** Writes files atomically into one folder. */
export function openAtomicFiles(folder: string): AtomicFiles {
  const syncFolder = coalesce(() => fsyncFolder(folder));
  return {
    put: async (path, writeTo) => {
      const temporary = `${path}.${randomUUID()}${TEMPORARY_SUFFIX}`;
      try {
        await writeTo(temporary);
        renameSync(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
      await syncFolder();
    },
  };
}

async function fsyncFolder(folder: string): Promise<void> {
  const directory = openSync(folder, "r");
  try {
    await fsyncAsync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Calls that arrive during a run share the next run. */
function coalesce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  return () => {
    queued ??= (async () => {
      await running?.catch(() => {});
      running = queued;
      queued = null;
      await run();
    })();
    return queued;
  };
}

/** Returns null if the file doesn't exist. */
export async function readFileOrNull(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR"].includes(code)) return null;
    throw error;
  }
}
