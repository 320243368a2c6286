import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import { nounsOf } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import type { Access } from "./sqlite-driver.ts";
import { SqliteLine } from "./sqlite-line.ts";
import { sqlitePath } from "./sqlite-path.ts";

/** Opens the SQLite store of a data directory, making or migrating it if needed. */
export async function openSqlite(
  directory: string,
  made?: string,
  { keepsCopy, tell } = QUIET_UPGRADE,
): Promise<Store> {
  const path = sqlitePath(directory);
  const lines = {
    write: new SqliteLine({ path, access: "write", made, keepsCopy }, tell),
    read: new SqliteLine({ path, access: "read" }),
  };
  const store = storeOver(lines);
  try {
    // The writer makes the file; the reader needs it to exist.
    await lines.write.call("database.schema", []);
    await lines.read.call("database.schema", []);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Reads have their own thread, so that they go on while a write waits for a lock or the disk. */
function storeOver(lines: Record<Access, SqliteLine>): Store {
  return {
    ...nounsOf(
      (name, { access }) =>
        (...values) =>
          lines[access].call(name, values),
    ),
    async close() {
      await lines.read.close();
      await lines.write.close();
    },
  };
}
