// Writes files atomically: after a crash, a file is either complete or missing.

import { randomUUID } from "node:crypto";
import { closeSync, fsync, openSync, renameSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";

export const TEMPORARY_SUFFIX = ".tmp";

/** Owner-only permissions. */
export const FILE_MODE = 0o600;

export const fsyncAsync = promisify(fsync);

/** Creates the file at the temporary path and resolves once its content is on disk. */
type FileWriter = (temporary: string) => Promise<void>;

export type AtomicFiles = {
  /** Resolves once the file is durable. Replaces an existing file. */
  put(path: string, writeTo: FileWriter): Promise<void>;
};

/** All files must be in `folder`. */
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

export async function readFileOrNull(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR"].includes(code)) return null;
    throw error;
  }
}
