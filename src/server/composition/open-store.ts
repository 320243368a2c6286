import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import { openSqlite } from "#data/sqlite/sqlite.ts";
import type { Store } from "#data/store/store.ts";

/**
 * A data directory for SQLite, or the address of a PostgreSQL database and what writes wait for.
 */
export type StoreLocation = { data: string } | { postgres: string; mayWrite?: () => Promise<void> };

/**
 * Opens the store, migrated to the newest schema. The first season of a new database is the month
 * of `made`, a UTC instant, now by default. Rejects with StoreError.
 */
export async function openStore(
  location: StoreLocation,
  made?: string,
  upgrade?: UpgradeOptions,
): Promise<Store> {
  if ("data" in location) return openSqlite(location.data, made, upgrade);
  // With SQLite all queries run in threads: only PostgreSQL needs them here.
  const { openPostgres } = await import("#data/postgres/postgres.ts");
  return openPostgres(location.postgres, made, location.mayWrite, upgrade);
}
