import { promisify } from "node:util";
import * as zlib from "node:zlib";

import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import type { DatabaseConnection, Dialect } from "kysely";
import { Pool, types } from "pg";

import { migrate, MIGRATIONS } from "#data/migrations/migrations.ts";
import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import { postgresUpgradeObserver } from "#data/migrations/upgrade.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import type { DatabaseSchema } from "#data/queries/tables.ts";
import { toStoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";

const POOL_SIZE = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds after which a server that doesn't respond counts as lost. */
const QUERY_TIMEOUT_MS = 30_000;
const INT8 = 20;

/**
 * Opens the store of a PostgreSQL database and migrates the database. While the server is
 * unavailable, calls reject with StoreError `unavailable`. The pool reconnects automatically.
 */
export async function openPostgres(
  url: string,
  now?: string,
  mayWrite?: Backend["ensureWritable"],
  upgrade = QUIET_UPGRADE,
): Promise<Store> {
  const backend = postgresBackend(poolDialect(url), mayWrite);
  try {
    await migrate(backend, now, MIGRATIONS, postgresUpgradeObserver(upgrade));
    return createStore(backend);
  } catch (error) {
    await backend.database.destroy();
    throw toStoreError(error);
  }
}

function poolDialect(url: string): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // The query on a lost connection reports the error. Without a listener, the error event would end
  // the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return new PostgresDialect({ pool, onCreateConnection: requireSynchronousCommit });
}

/**
 * Requires durable commits, because a server may be configured to confirm commits before they are
 * on disk.
 */
async function requireSynchronousCommit(connection: DatabaseConnection): Promise<void> {
  const query = `select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'`;
  await connection.executeQuery(CompiledQuery.raw(query));
}

/** Parses 64-bit integers as numbers. No stored value comes near 2 ** 53. */
const getTypeParser = ((type: number, format?: "text"): unknown =>
  type === INT8 ? Number : types.getTypeParser(type, format)) as typeof types.getTypeParser;

const deflate = promisify(zlib.deflate);
const inflate = promisify(zlib.inflate);

/** PostgreSQL-specific behaviour. Tests pass the dialect of an embedded server. */
export function postgresBackend(
  dialect: Dialect,
  mayWrite: Backend["ensureWritable"] = async () => {},
): Backend {
  return {
    database: new Kysely<DatabaseSchema>({ dialect }),
    types: {
      text: 'text collate "C"',
      whole: "bigint",
      real: "double precision",
      bytes: "bytea",
      keyed: "",
      heap: "",
    },
    pack: (text) => deflate(text),
    unpack: async (bytes) => (await inflate(bytes)).toString(),
    ensureWritable: mayWrite,
    async lock(tx, subject) {
      const key = sql`hashtextextended(${subject}, 0)`;
      await sql`select pg_advisory_xact_lock(${key})`.execute(tx);
    },
    faults: async () => [],
  };
}
