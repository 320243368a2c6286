// Locks a file across processes with SQLite's exclusive lock on an empty database. The operating
// system releases the lock when the process ends.

import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

import { toStoreError } from "#data/store/errors.ts";

const PRIVATE_FILE = 0o600;
const SQLITE_BUSY = 5;

/**
 * Creates the file if it doesn't exist. Returns null if another process holds the lock. Throws
 * StoreError if locking is impossible.
 */
export function lockFile(path: string): Disposable | null {
  // Never open an existing file this way: closing it would release the lock of this process.
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE_FILE));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so the file needs no journal on disk.
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
