import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { PostgresDialect } from "kysely";
import { Pool } from "pg";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { openSqliteFile } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "./real-postgres.ts";
import { createDatabaseReset } from "./reset-database.ts";
import { STORE_CASES } from "./store-contract.ts";
import { SAMPLES_CREATED_AT } from "./store-samples.ts";

type Implementation = {
  /** Creates the database. Returns a function that resets it before each case. */
  makeBackend(): Promise<Backend>;
  open(): Promise<Store>;
};

/** The store stays open between cases, because opening it takes longer than most cases. */
function runCases({ makeBackend, open }: Implementation): void {
  let backend: Backend;
  let resetDatabase: () => Promise<void>;
  let openedStore: Store | null = null;
  before(async () => {
    backend = await makeBackend();
    resetDatabase = await createDatabaseReset(backend);
  });
  for (const { name, run } of STORE_CASES) {
    it(name, async () => {
      await resetDatabase();
      let store = openedStore ?? (await open());
      try {
        await run(store, async () => {
          await store.close();
          return (store = await open());
        });
      } finally {
        openedStore = (await isOpen(store)) ? store : null;
      }
    });
  }
  after(async () => {
    await openedStore?.close();
    await backend.database.destroy();
  });
}

async function isOpen(store: Store): Promise<boolean> {
  try {
    await store.database.schema();
    return true;
  } catch {
    return false;
  }
}

describe("SQLite store", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "bout-store-"));
  });
  runCases({
    makeBackend: () => openSqliteFile(sqlitePath(directory), "write", SAMPLES_CREATED_AT),
    open: () => openStore({ data: directory }),
  });
  after(() => rm(directory, { recursive: true }));
});

describe("PostgreSQL server store", REAL_POSTGRES_TEST_OPTIONS, () => {
  runCases({
    async makeBackend() {
      await clearRealPostgres();
      const pool = new Pool({ connectionString: REAL_POSTGRES_URL });
      const backend = postgresBackend(new PostgresDialect({ pool }));
      await migrate(backend, SAMPLES_CREATED_AT);
      return backend;
    },
    open: () => openStore({ postgres: REAL_POSTGRES_URL ?? "" }),
  });
});

describe("embedded PostgreSQL store", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  runCases({
    async makeBackend() {
      const backend = postgresBackend(server.dialect());
      await migrate(backend, SAMPLES_CREATED_AT);
      return backend;
    },
    open: async () => createStore(postgresBackend(server.dialect())),
  });
  after(() => server.close());
});
