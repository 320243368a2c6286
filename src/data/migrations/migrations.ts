import { sql } from "kysely";

import { SECOND_MS } from "#base/units/time.ts";
import type { Backend, ColumnTypes, Migration } from "#data/queries/backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { storeError, StoreError } from "#data/store/errors.ts";

import { BASELINE } from "./schema-22.ts";
import { SEASONS } from "./schema-23.ts";
import { TURNS } from "./schema-24.ts";
import { FEWER_INDEXES } from "./schema-25.ts";
import { PEOPLE } from "./schema-26.ts";
import { NOTED_PLACES } from "./schema-27.ts";
import { IDENTITIES } from "./schema-28.ts";
import { ACCOUNTS } from "./schema-29.ts";
import { EVENTS } from "./schema-30.ts";
import { SETTINGS } from "./schema-31.ts";
import { DAYS } from "./schema-32.ts";
import { MAIL } from "./schema-33.ts";
import { ANNOUNCEMENTS } from "./schema-34.ts";
import { EVER } from "./schema-35.ts";
import { RELEASE_54 } from "./schema-36.ts";
import { RELEASE_55 } from "./schema-37.ts";
import { CONSENT_REDIRECTS } from "./schema-38.ts";

export const MIGRATIONS: readonly Migration[] = [
  BASELINE,
  SEASONS,
  TURNS,
  FEWER_INDEXES,
  PEOPLE,
  NOTED_PLACES,
  IDENTITIES,
  ACCOUNTS,
  EVENTS,
  SETTINGS,
  DAYS,
  MAIL,
  ANNOUNCEMENTS,
  EVER,
  RELEASE_54,
  RELEASE_55,
  CONSENT_REDIRECTS,
];

export const NEWEST_SCHEMA = CONSENT_REDIRECTS.number;

const now = (): string => new Date().toISOString();

export type Upgrade = { from: number; to: number; rows: Record<string, number> };
export type Step = { schema: number; name: string; seconds: number };

/** Is told of the upgrade of an existing database; new ones are made unwatched. */
export type UpgradeWatch = {
  /** Called before anything changes; if it rejects, the upgrade does not begin. */
  begins(upgrade: Upgrade): Promise<void>;
  stepDone(step: Step): void;
};

const UNWATCHED: UpgradeWatch = { begins: async () => {}, stepDone() {} };

/** Tables whose row counts tell the size of a database; every schema has them. */
const COUNTED_TABLES = ["bots", "versions", "matches"] as const;

/**
 * Brings the database to the newest known schema. Each migration and its record are one
 * transaction: the next run completes one that was killed at any point. A new database is made in a
 * single one, so that nobody takes a half-made database for one to upgrade. Throws StoreError
 * `newer_schema`, having written nothing, when the database is ahead of this build. `made` is the
 * instant taken as now: it sets the month of a new database's first season.
 */
export async function migrate(
  backend: Backend,
  made = now(),
  migrations: readonly Migration[] = MIGRATIONS,
  watch = UNWATCHED,
): Promise<void> {
  const from = await appliedSchema(backend.database);
  assertKnownSchema(from, migrations);
  const due = migrations.filter(({ number }) => number > from);
  const last = due.at(-1);
  if (last === undefined) return;
  if (from === 0) return apply(backend, due, made);
  const rows = await rowCounts(backend.database);
  await watch.begins({ from, to: last.number, rows });
  for (const migration of due) {
    const start = performance.now();
    await apply(backend, [migration], made);
    const { number: schema, name } = migration;
    watch.stepDone({ schema, name, seconds: secondsSince(start) });
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

/** Rounded to the millisecond. `start` is a time of the monotonic clock, in milliseconds. */
export function secondsSince(start: number): number {
  return Math.round(performance.now() - start) / SECOND_MS;
}

/** Throws StoreError `newer_schema` when the applied schema is ahead of the migrations. */
export function assertKnownSchema(
  applied: number,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const newest = migrations.at(-1)?.number ?? 0;
  if (applied <= newest) return;
  const text = `the database has schema ${applied}, this build knows up to ${newest}`;
  throw new StoreError("newer_schema", `${text}: start a newer build, nothing was changed`);
}

/** Number of the newest applied migration; 0 in an empty database. */
export async function appliedSchema(database: Database): Promise<number> {
  try {
    return await newestRecorded(database);
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw storeError(error);
  }
}

async function newestRecorded(database: Database): Promise<number> {
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

async function apply(
  backend: Backend,
  migrations: readonly Migration[],
  made: string,
): Promise<void> {
  await backend.database.transaction().execute(async (transaction) => {
    await backend.lock(transaction, "migrations");
    await createRecord(transaction, backend.types);
    // Another process may have applied some while this one waited for the lock.
    const newest = await newestRecorded(transaction);
    for (const migration of migrations.filter(({ number }) => number > newest)) {
      for (const statement of migration.statements(backend.types, made)) {
        await sql.raw(statement).execute(transaction);
      }
      await migration.convert?.(transaction);
      const { number, name } = migration;
      await transaction.insertInto("schema_migrations").values({ number, name }).execute();
    }
  });
}

async function createRecord(transaction: OpenTransaction, types: ColumnTypes): Promise<void> {
  const columns = `number ${types.whole} primary key, name ${types.text} not null`;
  const statement = `create table if not exists schema_migrations (${columns}) ${types.heap}`;
  await sql.raw(statement).execute(transaction);
}
