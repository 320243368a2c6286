import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import { buildRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import type { Access } from "./sqlite-driver.ts";
import { sqlitePath } from "./sqlite-path.ts";
import { SqliteWorkerClient } from "./sqlite-worker-client.ts";

/** Opens the SQLite store in a directory. Creates or migrates the database if needed. */
export async function openSqlite(
  directory: string,
  now?: string,
  { keepsCopy, log } = QUIET_UPGRADE,
): Promise<Store> {
  const path = sqlitePath(directory);
  const clients = {
    write: new SqliteWorkerClient({ path, access: "write", now, keepsCopy }, log),
    read: new SqliteWorkerClient({ path, access: "read" }),
  };
  const store = createSqliteStore(clients);
  try {
    // Opens the writer first, because it creates the file that the reader opens.
    await clients.write.call("database.schema", []);
    await clients.read.call("database.schema", []);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Reads run in their own thread, so that they continue while a write waits for a lock or the disk.
 */
function createSqliteStore(clients: Record<Access, SqliteWorkerClient>): Store {
  return {
    ...buildRepositories(
      (name, { access }) =>
        (...args) =>
          clients[access].call(name, args),
    ),
    async close() {
      await clients.read.close();
      await clients.write.close();
    },
  };
}
