// Allows only one server per data folder and PostgreSQL database. Two servers wouldn't see each
// other's matches, because ratings live in memory, and a starting server removes files that the
// other server is still writing.

import { setTimeout as sleep } from "node:timers/promises";

import { LockHeld } from "#data/credentials/server-lock.ts";
import type { ServerLock } from "#data/credentials/server-lock.ts";
import { openLockSession, lockDatabase } from "#data/postgres/postgres-lock.ts";
import { lockFolder } from "#data/sqlite/folder-lock.ts";

/** A supervisor may start the next server before the previous server has released its lock. */
const LOCK_WAIT_MS = 5_000;
const RETRY_MS = 100;

type LockOptions = { data: string; database: string | null; waitMs?: number };

/**
 * Acquires the locks, waiting up to `waitMs` for each. Calls `panic` if another server takes a lock
 * later. Rejects with LockHeld.
 */
export async function lockServer(
  { data, database, waitMs = LOCK_WAIT_MS }: LockOptions,
  panic: (error: unknown) => void,
): Promise<ServerLock> {
  await using lockStack = new AsyncDisposableStack();
  const folder = lockStack.use(await retryWhileLocked(waitMs, async () => lockFolder(data)));
  if (database === null) {
    lockStack.move();
    return folder;
  }
  const lock = () => lockDatabase(() => openLockSession(database), panic);
  const session = lockStack.use(await retryWhileLocked(waitMs, lock));
  const acquiredLocks = lockStack.move();
  return {
    announce: async (address) => {
      await folder.announce(address);
      await session.announce(address);
    },
    ensureHeld: () => session.ensureHeld(),
    [Symbol.asyncDispose]: () => acquiredLocks.disposeAsync(),
  };
}

async function retryWhileLocked<T>(waitMs: number, acquire: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMs;
  while (true) {
    try {
      return await acquire();
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() >= deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
