// Locks a data folder. A second file names the holder for error messages.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { LockHeld } from "#data/credentials/server-lock.ts";
import type { LockHolder, LockStatus } from "#data/credentials/server-lock.ts";
import type { ServerLock } from "#data/credentials/server-lock.ts";
import { makePrivateFolder } from "#data/files/private-folder.ts";
import { toStoreError } from "#data/store/errors.ts";

import { isBusy, lockFile } from "./file-lock.ts";

const LOCK_FILE = "server.lock";
const HOLDER_FILE = "server.json";
const PRIVATE_FILE = 0o600;

/**
 * Acquires the lock, creating the folder if needed. Throws LockHeld if another process holds the
 * lock, or StoreError if locking is impossible.
 */
export function lockFolder(data: string): ServerLock {
  makePrivateFolder(data);
  const lock = takeLock(data);
  const holderPath = join(data, HOLDER_FILE);
  writeHolder(holderPath, { pid: process.pid, address: null });
  return {
    announce: async (address) => writeHolder(holderPath, { pid: process.pid, address }),
    ensureHeld: async () => {},
    [Symbol.asyncDispose]: async () => {
      rmSync(holderPath, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/**
 * Returns who holds the lock of a folder. No server can start during the check, which takes less
 * than a millisecond. Never call it in the process that holds the lock.
 */
export function folderLockStatus(data: string): LockStatus {
  const path = join(data, LOCK_FILE);
  if (!existsSync(path)) return { isLocked: false };
  const lock = new DatabaseSync(path, { timeout: 0, readOnly: true });
  try {
    lock.exec("pragma schema_version");
    return { isLocked: false };
  } catch (error) {
    if (!isBusy(error)) throw toStoreError(error);
    return { isLocked: true, holder: readHolder(join(data, HOLDER_FILE)) };
  } finally {
    lock.close();
  }
}

function takeLock(data: string): Disposable {
  const lock = lockFile(join(data, LOCK_FILE));
  if (lock === null) throw new LockHeld(`the folder ${data}`, readHolder(join(data, HOLDER_FILE)));
  return lock;
}

/**
 * Ignores write errors: a full disk must not prevent startup, and only makes the error message less
 * specific.
 */
function writeHolder(path: string, holder: LockHolder): void {
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE });
  } catch {
    rmSync(path, { force: true });
  }
}

function readHolder(path: string): LockHolder {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as LockHolder;
  } catch {
    return null;
  }
}
