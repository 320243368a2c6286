import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import { storeOf } from "#data/queries/database-store.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import { clearRealPostgres, REAL_POSTGRES, WITH_REAL_POSTGRES } from "./real-postgres.ts";
import { STORE_CASES } from "./store-contract.ts";
import { SAMPLES_MADE } from "./store-samples.ts";

type Implementation = { clear(): Promise<void>; open(): Promise<Store> };

function runCases(implementation: Implementation): void {
  for (const { name, run } of STORE_CASES) {
    it(name, async () => {
      await implementation.clear();
      let store = await implementation.open();
      try {
        await run(store, async () => {
          await store.close();
          return (store = await implementation.open());
        });
      } finally {
        await store.close();
      }
    });
  }
}

describe("the store over SQLite", () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "bout-store-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  runCases({
    clear: () => rm(directory, { recursive: true, force: true }),
    open: () => openStore({ data: directory }, SAMPLES_MADE),
  });
});

describe("the store over a PostgreSQL server", WITH_REAL_POSTGRES, () => {
  runCases({
    clear: clearRealPostgres,
    open: () => openStore({ postgres: REAL_POSTGRES ?? "" }, SAMPLES_MADE),
  });
});

describe("the store over embedded PostgreSQL", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  after(() => server.close());
  runCases({
    clear: () => server.clear(),
    async open() {
      const backend = postgresBackend(server.dialect());
      await migrate(backend, SAMPLES_MADE);
      return storeOf(backend);
    },
  });
});
