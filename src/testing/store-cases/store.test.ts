import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { PostgresDialect } from "kysely";
import { Pool } from "pg";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { openSqliteFile } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import { clearRealPostgres, REAL_POSTGRES, WITH_REAL_POSTGRES } from "./real-postgres.ts";
import { remaker } from "./remade.ts";
import { STORE_CASES } from "./store-contract.ts";
import { SAMPLES_MADE } from "./store-samples.ts";

type Implementation = {
  /** Makes the database; what it returns clears it before each case. */
  make(): Promise<Backend>;
  open(): Promise<Store>;
};

/** The store stays open from case to case, because opening takes longer than most cases. */
function runCases({ make, open }: Implementation): void {
  let backend: Backend;
  let remake: () => Promise<void>;
  let kept: Store | null = null;
  before(async () => {
    backend = await make();
    remake = await remaker(backend);
  });
  for (const { name, run } of STORE_CASES) {
    it(name, async () => {
      await remake();
      let store = kept ?? (await open());
      try {
        await run(store, async () => {
          await store.close();
          return (store = await open());
        });
      } finally {
        kept = (await isOpen(store)) ? store : null;
      }
    });
  }
  after(async () => {
    await kept?.close();
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

describe("the store over SQLite", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "bout-store-"));
  });
  runCases({
    make: () => openSqliteFile(sqlitePath(directory), "write", SAMPLES_MADE),
    open: () => openStore({ data: directory }),
  });
  after(() => rm(directory, { recursive: true }));
});

describe("the store over a PostgreSQL server", WITH_REAL_POSTGRES, () => {
  runCases({
    async make() {
      await clearRealPostgres();
      const pool = new Pool({ connectionString: REAL_POSTGRES });
      const backend = postgresBackend(new PostgresDialect({ pool }));
      await migrate(backend, SAMPLES_MADE);
      return backend;
    },
    open: () => openStore({ postgres: REAL_POSTGRES ?? "" }),
  });
});

describe("the store over embedded PostgreSQL", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  runCases({
    async make() {
      const backend = postgresBackend(server.dialect());
      await migrate(backend, SAMPLES_MADE);
      return backend;
    },
    open: async () => storeOf(postgresBackend(server.dialect())),
  });
  after(() => server.close());
});
