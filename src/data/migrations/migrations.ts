import { sql } from "kysely";

import { SECOND_MS } from "#base/util/time.ts";
import type { Backend, ColumnTypes, Migration } from "#data/queries/database-backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { toStoreError, StoreError } from "#data/store/errors.ts";

import { SCHEMA_22 } from "./schema-22.ts";
import { SCHEMA_23 } from "./schema-23.ts";
import { SCHEMA_24 } from "./schema-24.ts";
import { SCHEMA_25 } from "./schema-25.ts";
import { SCHEMA_26 } from "./schema-26.ts";
import { SCHEMA_27 } from "./schema-27.ts";
import { SCHEMA_28 } from "./schema-28.ts";
import { SCHEMA_29 } from "./schema-29.ts";
import { SCHEMA_30 } from "./schema-30.ts";
import { SCHEMA_31 } from "./schema-31.ts";
import { SCHEMA_32 } from "./schema-32.ts";
import { SCHEMA_33 } from "./schema-33.ts";
import { SCHEMA_34 } from "./schema-34.ts";
import { SCHEMA_35 } from "./schema-35.ts";
import { SCHEMA_36 } from "./schema-36.ts";
import { RELEASE_55 } from "./schema-37.ts";
import { CONSENT_REDIRECTS } from "./schema-38.ts";

export const MIGRATIONS: readonly Migration[] = [
  SCHEMA_22,
  SCHEMA_23,
  SCHEMA_24,
  SCHEMA_25,
  SCHEMA_26,
  SCHEMA_27,
  SCHEMA_28,
  SCHEMA_29,
  SCHEMA_30,
  SCHEMA_31,
  SCHEMA_32,
  SCHEMA_33,
  SCHEMA_34,
  SCHEMA_35,
  SCHEMA_36,
  RELEASE_55,
  CONSENT_REDIRECTS,
];

export const NEWEST_SCHEMA = CONSENT_REDIRECTS.number;

const currentInstant = (): string => new Date().toISOString();

export type SchemaUpgrade = { from: number; to: number; rows: Record<string, number> };
export type UpgradeStep = { schema: number; name: string; seconds: number };

/** Observes upgrades of existing databases. Not called when a database is created. */
export type UpgradeObserver = {
  /** Called before anything changes. The upgrade doesn't start if this rejects. */
  onBegin(upgrade: SchemaUpgrade): Promise<void>;
  onStepDone(step: UpgradeStep): void;
};

const NO_OBSERVER: UpgradeObserver = { onBegin: async () => {}, onStepDone() {} };

/**
 * Row counts of these tables are reported as the size of the database. Every schema has these
 * tables.
 */
const COUNTED_TABLES = ["bots", "versions", "matches"] as const;

/**
 * Migrates the database to the newest known schema. Each migration is recorded in its own
 * transaction, so the next run completes an interrupted upgrade. A new database is created in a
 * single transaction, so that a partial one is never mistaken for an older schema. Throws
 * StoreError `newer_schema`, without writing, if the database has a newer schema than this build.
 * `now` determines the first season of a new database.
 */
export async function migrate(
  backend: Backend,
  now = currentInstant(),
  migrations: readonly Migration[] = MIGRATIONS,
  observer = NO_OBSERVER,
): Promise<void> {
  const from = await appliedSchema(backend.database);
  assertKnownSchema(from, migrations);
  const pending = migrations.filter(({ number }) => number > from);
  const lastMigration = pending.at(-1);
  if (lastMigration === undefined) return;
  if (from === 0) return applyMigrations(backend, pending, now);
  const rows = await rowCounts(backend.database);
  await observer.onBegin({ from, to: lastMigration.number, rows });
  for (const migration of pending) {
    const start = performance.now();
    await applyMigrations(backend, [migration], now);
    const { number: schema, name } = migration;
    observer.onStepDone({ schema, name, seconds: elapsedSeconds(start) });
  }
}

async function rowCounts(database: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of COUNTED_TABLES) {
    const { rows } = await database
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    counts[table] = rows;
  }
  return counts;
}

/** Returns the seconds since `start` (a `performance.now()` value), rounded to milliseconds. */
export function elapsedSeconds(start: number): number {
  return Math.round(performance.now() - start) / SECOND_MS;
}

export function assertKnownSchema(
  appliedNumber: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const newest = migrations.at(-1)?.number ?? 0;
  if (appliedNumber <= newest) return;
  const text = `the database has schema ${appliedNumber}, but this build supports up to ${newest}`;
  throw new StoreError("newer_schema", `${text}: start a newer build; nothing was changed`);
}

export async function appliedSchema(database: Database): Promise<number> {
  try {
    return await newestRecordedSchema(database);
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw toStoreError(error);
  }
}

async function newestRecordedSchema(database: Database): Promise<number> {
  const row = await database
    .selectFrom("schema_migrations")
    .select((eb) => eb.fn.max("number").as("newest"))
    .executeTakeFirst();
  return row?.newest ?? 0;
}

const SQLSTATE_UNDEFINED_TABLE = "42P01";

function isMissingTable(error: unknown): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === SQLSTATE_UNDEFINED_TABLE || message.startsWith("no such table");
}

async function applyMigrations(
  backend: Backend,
  migrations: readonly Migration[],
  now: string,
): Promise<void> {
  await backend.database.transaction().execute(async (tx) => {
    await backend.lock(tx, "migrations");
    await createMigrationTable(tx, backend.types);
    // Another process may have applied migrations while this one waited for the lock.
    const newest = await newestRecordedSchema(tx);
    for (const migration of migrations.filter(({ number }) => number > newest)) {
      for (const statement of migration.statements(backend.types, now)) {
        await sql.raw(statement).execute(tx);
      }
      await migration.convert?.(tx);
      const { number, name } = migration;
      await tx.insertInto("schema_migrations").values({ number, name }).execute();
    }
  });
}

async function createMigrationTable(tx: OpenTransaction, types: ColumnTypes): Promise<void> {
  const columns = `number ${types.whole} primary key, name ${types.text} not null`;
  const statement = `create table if not exists schema_migrations (${columns}) ${types.heap}`;
  await sql.raw(statement).execute(tx);
}
