// One server per data folder and per PostgreSQL database: ratings live in memory, so two servers
// would not see each other's games, and the start of one removes files that the other is writing.

import { setTimeout as sleep } from "node:timers/promises";

import { LockHeld } from "#data/access/server-lock.ts";
import type { ServerLock } from "#data/access/server-lock.ts";
import { connectTo, lockDatabase } from "#data/postgres/postgres-lock.ts";
import { lockFolder } from "#data/sqlite/folder-lock.ts";

/** A supervisor may start the next server before the last one has released its lock. */
const LOCK_WAIT_MS = 5_000;
const RETRY_MS = 100;

type LockOptions = { data: string; database: string | null; waitMs?: number };

/**
 * Takes the locks, waiting up to `waitMs` for each while another server has it. `panic` is called if
 * the lock was lost and another server has it. Rejects with LockHeld.
 */
export async function lockServer(
  { data, database, waitMs = LOCK_WAIT_MS }: LockOptions,
  panic: (error: unknown) => void,
): Promise<ServerLock> {
  await using taken = new AsyncDisposableStack();
  const folder = taken.use(await retryWhileHeld(waitMs, async () => lockFolder(data)));
  if (database === null) {
    taken.move();
    return folder;
  }
  const lock = () => lockDatabase(() => connectTo(database), panic);
  const session = taken.use(await retryWhileHeld(waitMs, lock));
  const both = taken.move();
  return {
    announce: async (address) => {
      await folder.announce(address);
      await session.announce(address);
    },
    assure: () => session.assure(),
    [Symbol.asyncDispose]: () => both.disposeAsync(),
  };
}

/** Calls `take` again while it rejects with LockHeld, and rejects with the last one after `waitMs`. */
async function retryWhileHeld<T>(waitMs: number, take: () => Promise<T>): Promise<T> {
  const end = performance.now() + waitMs;
  while (true) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() >= end) throw error;
      await sleep(RETRY_MS);
    }
  }
}
