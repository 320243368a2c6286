// The lock of a data folder. The file next to it only serves the message.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { LockHeld } from "#data/access/server-lock.ts";
import type { Holder, Holding } from "#data/access/server-lock.ts";
import type { ServerLock } from "#data/access/server-lock.ts";
import { makeFolder } from "#data/files/folder.ts";
import { storeError } from "#data/store/errors.ts";

import { isBusy, lockFile } from "./file-lock.ts";

const LOCK_FILE = "server.lock";
const HOLDER_FILE = "server.json";
const PRIVATE_FILE = 0o600;

/** Makes the folder if it is missing. Throws LockHeld, or StoreError if locking is impossible. */
export function lockFolder(data: string): ServerLock {
  makeFolder(data);
  const lock = take(data);
  const told = join(data, HOLDER_FILE);
  tell(told, { pid: process.pid, address: null });
  return {
    announce: async (address) => tell(told, { pid: process.pid, address }),
    assure: async () => {},
    [Symbol.asyncDispose]: async () => {
      rmSync(told, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

/**
 * Who holds the lock of a folder, looked at from another process for less than a millisecond, in
 * which no server can start. Never called where this process has the lock.
 */
export function folderHolding(data: string): Holding {
  const path = join(data, LOCK_FILE);
  if (!existsSync(path)) return { isHeld: false };
  const lock = new DatabaseSync(path, { timeout: 0, readOnly: true });
  try {
    lock.exec("pragma schema_version");
    return { isHeld: false };
  } catch (error) {
    if (!isBusy(error)) throw storeError(error);
    return { isHeld: true, holder: holderIn(join(data, HOLDER_FILE)) };
  } finally {
    lock.close();
  }
}

function take(data: string): Disposable {
  const lock = lockFile(join(data, LOCK_FILE));
  if (lock === null) throw new LockHeld(`the folder ${data}`, holderIn(join(data, HOLDER_FILE)));
  return lock;
}

/** A full disk does not keep a server from starting: only the message would say less. */
function tell(path: string, holder: Holder): void {
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { mode: PRIVATE_FILE });
  } catch {
    rmSync(path, { force: true });
  }
}

function holderIn(path: string): Holder {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    return null;
  }
}
