import type { Store } from "#store/store.ts";

import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** A data directory for SQLite, or the address of a PostgreSQL database. */
export type StoreLocation = { data: string } | { postgres: string };

/** Opens the store, migrated to the newest schema. Rejects with StoreError. */
export async function openStore(location: StoreLocation): Promise<Store> {
  return "data" in location ? openSqlite(location.data) : openPostgres(location.postgres);
}
