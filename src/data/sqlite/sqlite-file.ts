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
import { fileWatch } from "#data/migrations/upgrade.ts";
import type { UpgradeOptions } from "#data/migrations/upgrade.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { Database, Tables } from "#data/queries/tables.ts";
import { storeError } from "#data/store/errors.ts";

import { sqliteDialect } from "./sqlite-driver.ts";
import type { Access } from "./sqlite-driver.ts";

const PRIVATE_FILE = 0o600;
/** Most lines reported from an integrity check. */
const FAULT_LIMIT = 20;

/**
 * Opens a database file in this thread. With `write` the file is made and migrated first. A file of
 * a newer schema is refused (StoreError `newer_schema`) before anything can write to it, and an
 * upgrade without disk space (`full`) before it begins.
 */
export async function openSqliteFile(
  path: string,
  access: Access,
  made?: string,
  upgrade = QUIET_UPGRADE,
): Promise<Backend> {
  if (access === "write") await prepare(path);
  const backend = sqliteBackend(sqliteDialect(path, access));
  if (access === "write") await migrateOrClose(backend, path, made, upgrade);
  return backend;
}

async function prepare(path: string): Promise<void> {
  if (existsSync(path)) await inspect(path);
  else closeSync(openSync(path, "a", PRIVATE_FILE));
}

/** Checks the schema through a connection that cannot write. */
async function inspect(path: string): Promise<void> {
  const { database } = sqliteBackend(sqliteDialect(path, "read"));
  try {
    assertKnownSchema(await appliedSchema(database));
  } catch (error) {
    if (!isHalfMade(error)) throw error;
  } finally {
    await database.destroy();
  }
}

/** SQLITE_READONLY_ROLLBACK: a rollback journal must be applied first. */
const JOURNAL_LEFT = 776;

/** Only a kill before the first switch to the log leaves a journal: there is no schema yet. */
function isHalfMade(error: unknown): boolean {
  const { cause } = error as { cause?: { errcode?: number } };
  return cause?.errcode === JOURNAL_LEFT;
}

async function migrateOrClose(
  backend: Backend,
  path: string,
  made: string | undefined,
  upgrade: UpgradeOptions,
): Promise<void> {
  try {
    await migrate(backend, made, MIGRATIONS, fileWatch(backend.database, path, upgrade));
  } catch (error) {
    await backend.database.destroy();
    throw storeError(error);
  }
}

/** A document has 3 KB: a larger window only takes time to clear. */
const PACKING = { windowBits: 12, memLevel: 5 };

/** What SQLite does its own way. Documents are packed in the calling thread, which is a worker. */
export function sqliteBackend(dialect: Dialect): Backend {
  return {
    database: new Kysely<Tables>({ dialect }),
    types: {
      text: "text",
      whole: "integer",
      real: "real",
      bytes: "blob",
      keyed: "strict, without rowid",
      heap: "strict",
    },
    pack: (text) => deflateSync(text, PACKING),
    unpack: (bytes) => inflateSync(bytes).toString(),
    mayWrite: async () => {},
    // A write transaction already holds the only write lock of the file.
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
    const { code, message } = storeError(error);
    if (code !== "damaged") throw error;
    return [message];
  }
}
