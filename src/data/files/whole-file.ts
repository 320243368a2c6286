// Files that exist completely or not at all, even after a crash.

import { randomUUID } from "node:crypto";
import { closeSync, fsync, openSync, renameSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";

/** The end of the name of a file that is not complete yet. */
export const TEMPORARY = ".tmp";

/** For its owner alone. */
export const FILE_MODE = 0o600;

export const synced = promisify(fsync);

/** `fill` makes the file under the name it is given, and returns once that is on disk. */
type Fill = (temporary: string) => Promise<void>;

export type WholeFiles = {
  /** Resolves once the file will survive a power cut; it takes the place of an older one. */
  put(path: string, fill: Fill): Promise<void>;
};

/** How the files of a folder are put there. */
export function wholeFiles(folder: string): WholeFiles {
  const syncFolder = shared(() => sync(folder));
  return {
    put: async (path, fill) => {
      const temporary = `${path}.${randomUUID()}${TEMPORARY}`;
      try {
        await fill(temporary);
        renameSync(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
      await syncFolder();
    },
  };
}

async function sync(folder: string): Promise<void> {
  const directory = openSync(folder, "r");
  try {
    await synced(directory);
  } finally {
    closeSync(directory);
  }
}

/** Calls that arrive during a run share the next one. */
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

/** Null where there is no such file. */
export async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EISDIR"].includes(code)) return null;
    throw error;
  }
}
