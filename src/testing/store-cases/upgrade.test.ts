// Databases of released schemas, upgraded to the newest, are what they were.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";

import { appliedSchema, migrate, MIGRATIONS } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import {
  asReleased,
  fixtureReads,
  fixtureSchemas,
  loadFixture,
  readsOf,
  UPGRADED,
} from "./upgrade-fixture.ts";

const NEWEST = MIGRATIONS.at(-1)?.number;

/** SHA-256 of the statements of released steps, spaces aside. */
const RELEASED: Readonly<Record<number, string>> = {
  22: "bcc526c4061dbcaf8a3b67aa8ba343fe19a7ca502e40913070ff3315af56a3bb",
  23: "bed00bb23b80a76d81a014d259a790258385cb3caf68cc225de60353594b532e",
  24: "a12d3e2815a6fa08231c9203e573cb23fae0d6a070433762fc67444917031961",
  25: "e4f5b8c264a9801f1713845944ef932a408d8953f3c226d7a5558b789694344f",
};

it("never changes a step that was released", () => {
  const { types } = sqliteBackend(sqliteDialect(":memory:", "write"));
  for (const [number, sum] of Object.entries(RELEASED)) {
    const step = MIGRATIONS.find((migration) => migration.number === Number(number));
    const text = step?.statements(types, UPGRADED).join(";").replaceAll(/\s+/g, " ") ?? "";
    assert.equal(createHash("sha256").update(text).digest("hex"), sum, `schema ${number}`);
  }
});

async function checkUpgrade(backend: Backend, schema: number): Promise<void> {
  await loadFixture(backend, schema);
  assert.equal(await appliedSchema(backend.database), schema);
  await migrate(backend, UPGRADED);
  assert.equal(await appliedSchema(backend.database), NEWEST);
  const store = storeOf(backend);
  assert.deepEqual(await store.checkIntegrity(), []);
  const released = fixtureReads(schema);
  assert.deepEqual(asReleased(await readsOf(store), released), released);
  assert.deepEqual(await store.checkIntegrity(), []);
}

describe("a database of a released schema", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  after(() => server.close());

  it("is there for each of the schemas that were released", () => {
    assert.deepEqual(fixtureSchemas().slice(0, 2), [22, 25]);
  });

  for (const schema of fixtureSchemas()) {
    it(`${schema} over SQLite reads as before once it is upgraded`, async () => {
      const backend = sqliteBackend(sqliteDialect(":memory:", "write"));
      await checkUpgrade(backend, schema);
      await backend.database.destroy();
    });

    it(`${schema} over PostgreSQL reads as before once it is upgraded`, async () => {
      await server.clear();
      await checkUpgrade(postgresBackend(server.dialect()), schema);
    });
  }
});
