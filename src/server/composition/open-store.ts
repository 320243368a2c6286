import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import { openSqlite } from "#data/sqlite/sqlite.ts";
import type { Store } from "#data/store/store.ts";

/** A data directory for SQLite, or a PostgreSQL URL with its durability setting. */
export type StoreLocation = { data: string } | { postgres: string; mayWrite?: () => Promise<void> };

/**
 * Opens the store and migrates it to the newest schema. The first season of a new database is the
 * month of `createdAt` (UTC, default now). Rejects with StoreError.
 */
export async function openStore(
  location: StoreLocation,
  createdAt?: string,
  upgrade?: UpgradeOptions,
): Promise<Store> {
  if ("data" in location) return openSqlite(location.data, createdAt, upgrade);
  // SQLite runs all queries in threads anyway; only PostgreSQL needs them here.
  const { openPostgres } = await import("#data/postgres/postgres.ts");
  return openPostgres(location.postgres, createdAt, location.mayWrite, upgrade);
}
