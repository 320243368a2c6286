import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import { openSqlite } from "#data/sqlite/sqlite.ts";
import type { Store } from "#data/store/store.ts";

/**
 * A data folder for SQLite, or a PostgreSQL URL. `mayWrite` rejects if the server no longer holds
 * the database lock.
 */
export type StoreLocation = { data: string } | { postgres: string; mayWrite?: () => Promise<void> };

/**
 * Opens the store and migrates it to the latest schema. A new database starts with the season for
 * the month of `createdAt` (UTC; defaults to now). Rejects with StoreError.
 */
export async function openStore(
  location: StoreLocation,
  createdAt?: string,
  upgrade?: UpgradeOptions,
): Promise<Store> {
  if ("data" in location) return openSqlite(location.data, createdAt, upgrade);
  // SQLite runs its queries on worker threads, so this thread loads the query modules only for
  // PostgreSQL.
  const { openPostgres } = await import("#data/postgres/postgres.ts");
  return openPostgres(location.postgres, createdAt, location.mayWrite, upgrade);
}
