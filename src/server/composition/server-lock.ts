// One server per data folder and per PostgreSQL database: ratings live in memory, so two servers
// would not see each other's games, and the start of one removes files that the other is writing.

import type { ServerLock } from "#data/access/server-lock.ts";
import { connectTo, lockDatabase } from "#data/postgres/postgres-lock.ts";
import { lockFolder } from "#data/sqlite/folder-lock.ts";

/** `panic` is called if the lock was lost and another server has it. Rejects with LockHeld. */
export async function lockServer(
  { data, database }: { data: string; database: string | null },
  panic: (error: unknown) => void,
): Promise<ServerLock> {
  await using taken = new AsyncDisposableStack();
  const folder = taken.use(lockFolder(data));
  if (database === null) {
    taken.move();
    return folder;
  }
  const session = taken.use(await lockDatabase(() => connectTo(database), panic));
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
