import { closeSync, existsSync, openSync } from "node:fs";
import { deflateSync, inflateSync } from "node:zlib";

import { Kysely, sql } from "kysely";
import type { Dialect } from "kysely";

import {
  appliedSchema,
  assertKnownSchema,
  migrate,
  MIGRATIONS,
} from "#data/migrations/migrations.ts";
import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import { fileUpgradeObserver } from "#data/migrations/upgrade.ts";
import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Database, DatabaseSchema } from "#data/queries/tables.ts";
import { toStoreError } from "#data/store/errors.ts";

import { sqliteDialect } from "./sqlite-driver.ts";
import type { Access } from "./sqlite-driver.ts";

const PRIVATE_FILE = 0o600;
const FAULT_LIMIT = 20;

/**
 * Opens a database file in this thread. With `write`, first creates and migrates the file. Rejects
 * with StoreError `newer_schema` before anything is written to a file with a newer schema, and with
 * `full` before an upgrade that lacks disk space.
 */
export async function openSqliteFile(
  path: string,
  access: Access,
  now?: string,
  upgrade = QUIET_UPGRADE,
): Promise<Backend> {
  if (access === "write") await prepareFile(path);
  const backend = sqliteBackend(sqliteDialect(path, access));
  if (access === "write") await migrateOrClose(backend, path, now, upgrade);
  return backend;
}

async function prepareFile(path: string): Promise<void> {
  if (existsSync(path)) await checkSchema(path);
  else closeSync(openSync(path, "a", PRIVATE_FILE));
}

/** Uses a read-only connection, so that a file with a newer schema isn't changed. */
async function checkSchema(path: string): Promise<void> {
  const { database } = sqliteBackend(sqliteDialect(path, "read"));
  try {
    assertKnownSchema(await appliedSchema(database));
  } catch (error) {
    if (!isUnfinishedFile(error)) throw error;
  } finally {
    await database.destroy();
  }
}

/** SQLITE_READONLY_ROLLBACK: a rollback journal must be applied before reading. */
const SQLITE_READONLY_ROLLBACK = 776;

/**
 * A journal exists only if the process was killed before the first switch to WAL. Such a file has
 * no schema yet.
 */
function isUnfinishedFile(error: unknown): boolean {
  const { cause } = error as { cause?: { errcode?: number } };
  return cause?.errcode === SQLITE_READONLY_ROLLBACK;
}

async function migrateOrClose(
  backend: Backend,
  path: string,
  now: string | undefined,
  upgrade: UpgradeOptions,
): Promise<void> {
  try {
    await migrate(backend, now, MIGRATIONS, fileUpgradeObserver(backend.database, path, upgrade));
  } catch (error) {
    await backend.database.destroy();
    throw toStoreError(error);
  }
}

/** Documents take about 3 KB. A larger window would only take time to clear. */
const DEFLATE_OPTIONS = { windowBits: 12, memLevel: 5 };

/** SQLite-specific behaviour. Packs documents in the calling thread, which is a worker. */
export function sqliteBackend(dialect: Dialect): Backend {
  return {
    database: new Kysely<DatabaseSchema>({ dialect }),
    types: {
      text: "text",
      whole: "integer",
      real: "real",
      bytes: "blob",
      keyed: "strict, without rowid",
      heap: "strict",
    },
    pack: (text) => deflateSync(text, DEFLATE_OPTIONS),
    unpack: (bytes) => inflateSync(bytes).toString(),
    ensureWritable: async () => {},
    // A write transaction already holds the file's only write lock.
    lock: async () => {},
    faults: integrityFaults,
  };
}

async function integrityFaults(database: Database): Promise<string[]> {
  try {
    const { rows } = await sql
      .raw<{ integrity_check: string }>(`pragma integrity_check(${FAULT_LIMIT})`)
      .execute(database);
    return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
  } catch (error) {
    const { code, message } = toStoreError(error);
    if (code !== "damaged") throw error;
    return [message];
  }
}
