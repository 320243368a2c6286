// Inter-process lock: SQLite's exclusive lock on an empty file. The operating system releases it
// with the process.

import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { toStoreError } from "#data/store/errors.ts";

const PRIVATE_FILE = 0o600;
const SQLITE_BUSY = 5;

/**
 * Creates the file if it is missing. Returns null if another process holds it; throws StoreError if
 * locking is impossible.
 */
export function lockFile(path: string): Disposable | null {
  // Never open an existing file like this: closing it would release this process's own lock.
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE_FILE));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written to it, so it needs no journal on disk.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return { [Symbol.dispose]: () => lock.close() };
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw toStoreError(error);
  }
}

export const isBusy = (error: unknown): boolean =>
  (error as { errcode?: number }).errcode === SQLITE_BUSY;
