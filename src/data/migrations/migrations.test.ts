import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { sql } from "kysely";

import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { openSqliteFile, sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { openStore } from "#server/composition/open-store.ts";
import { EXTENDED_MIGRATIONS } from "#testing/store-contract/extended-migrations.ts";
import { faultyDialect } from "#testing/store-contract/faulty-dialect.ts";
import { openEmbeddedPostgres } from "#testing/store-contract/pglite.ts";
import type { EmbeddedPostgres } from "#testing/store-contract/pglite.ts";
import { sampleBot } from "#testing/store-contract/store-samples.ts";

import { appliedSchema, migrate, MIGRATIONS } from "./migrations.ts";

const MIGRATING_PROCESS = fileURLToPath(
  new URL("../../testing/store-contract/migrating-process.ts", import.meta.url),
);
const NEWEST = MIGRATIONS[MIGRATIONS.length - 1]!.number;
const ALLOWED_SCHEMAS = [0, ...EXTENDED_MIGRATIONS.map(({ number }) => number)];
const STEPS = 400;
/** A new database is created in one transaction, so testing every eighth step is enough. */
const STRIDE = 8;

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "bout-migrations-"));
});
after(() => rm(directory, { recursive: true, force: true }));

async function tableShapes(backend: Backend): Promise<unknown[]> {
  const tables = await backend.database.introspection.getTables();
  return tables
    .map(({ name, columns }) => `${name} ${columns.map((column) => column.name).toString()}`)
    .toSorted();
}

describe("migrations on SQLite", () => {
  it("T44 are completed by the next run after a kill at any step", async () => {
    const completeBackend = sqliteBackend(sqliteDialect(join(directory, "whole.db"), "write"));
    await migrate(completeBackend, undefined, EXTENDED_MIGRATIONS);
    const expected = await tableShapes(completeBackend);
    await completeBackend.database.destroy();
    let killCount = 0;
    for (let lifetime = 1; lifetime < STEPS; lifetime += STRIDE) {
      const path = join(directory, `killed-${lifetime}.db`);
      const child = spawn(process.execPath, [MIGRATING_PROCESS, path, String(lifetime)]);
      const [, signal] = (await once(child, "exit")) as [unknown, string | null];
      const backend = sqliteBackend(sqliteDialect(path, "write"));
      assert.ok([0, NEWEST + 1].includes(await appliedSchema(backend.database)));
      await migrate(backend, undefined, EXTENDED_MIGRATIONS);
      assert.deepEqual(await tableShapes(backend), expected);
      assert.deepEqual(await backend.faults(backend.database), []);
      await backend.database.destroy();
      if (signal === null) break;
      killCount += 1;
    }
    assert.ok(killCount >= 5 && killCount * STRIDE < STEPS, `${killCount} kills`);
  });

  it("T44 are rejected by an older build without changing the file", async () => {
    const data = join(directory, "newer");
    await mkdir(data);
    const path = join(data, "bout.db");
    const newerBackend = sqliteBackend(sqliteDialect(path, "write"));
    await migrate(newerBackend, undefined, EXTENDED_MIGRATIONS);
    // Copied while the database is open, so the write-ahead log isn't in the main file.
    const copyFolder = join(directory, "newer-cut");
    await mkdir(copyFolder);
    for (const suffix of ["", "-wal"])
      await copyFile(path + suffix, join(copyFolder, `bout.db${suffix}`));
    await newerBackend.database.destroy();
    for (const [folder, suffixes] of [
      [data, [""]],
      [copyFolder, ["", "-wal"]],
    ] as const) {
      const files = suffixes.map((suffix) => join(folder, `bout.db${suffix}`));
      const checksums = await Promise.all(files.map(checksum));
      await assert.rejects(openStore({ data: folder }), {
        code: "newer_schema",
        message: new RegExp(`schema ${NEWEST + 1}, but this build supports up to ${NEWEST}:`),
      });
      assert.deepEqual(await Promise.all(files.map(checksum)), checksums);
    }
  });

  it("can be started by several processes concurrently", async () => {
    const data = join(directory, "together");
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ data })));
    for (const store of stores) {
      assert.equal(await store.database.schema(), NEWEST);
      await store.close();
    }
    assert.deepEqual(await readdir(data), ["bout.db"]);
  });
});

describe("migrations on PostgreSQL", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  after(() => server.close());

  function runUntilStep(lifetime: number): Promise<void> {
    let steps = 0;
    const dialect = faultyDialect(server.dialect(), {
      step() {
        if (++steps > lifetime) throw new Error("Connection terminated");
      },
    });
    return migrate(postgresBackend(dialect), undefined, EXTENDED_MIGRATIONS);
  }

  async function countFailures(stride: number): Promise<number> {
    const { database } = postgresBackend(server.dialect());
    let failed = 0;
    let reachedSchema = await appliedSchema(database);
    for (let lifetime = 0; lifetime < STEPS; lifetime += stride) {
      const [run] = await Promise.allSettled([runUntilStep(lifetime)]);
      const schema = await appliedSchema(database);
      assert.ok(ALLOWED_SCHEMAS.includes(schema));
      if (run.status === "fulfilled") break;
      failed += 1;
      // The next run starts at this schema, so count its steps from 0.
      if (schema > reachedSchema) lifetime = 0;
      reachedSchema = schema;
    }
    return failed;
  }

  it("T44 are completed by the next run after a failure at any step", async () => {
    const backend = postgresBackend(server.dialect());
    await migrate(backend, undefined, EXTENDED_MIGRATIONS);
    const expected = await tableShapes(backend);
    for (const { made: appliedMigrations, stride, least: minimumFailures } of [
      { made: [], stride: STRIDE, least: 5 },
      { made: MIGRATIONS.slice(0, 1), stride: 1, least: 50 },
    ]) {
      await server.clear();
      await migrate(backend, undefined, appliedMigrations);
      const failed = await countFailures(stride);
      assert.ok(failed >= minimumFailures, `${failed} failures`);
      assert.equal(await appliedSchema(backend.database), NEWEST + 1);
      assert.deepEqual(await tableShapes(backend), expected);
    }
  });

  it("T44 are rejected by an older build", async () => {
    await server.clear();
    const backend = postgresBackend(server.dialect());
    await migrate(backend, undefined, EXTENDED_MIGRATIONS);
    await assert.rejects(migrate(backend), { code: "newer_schema" });
    assert.equal(await appliedSchema(backend.database), NEWEST + 1);
  });
});

it("keeps the data of the older schema", async () => {
  const backend = await openSqliteFile(join(directory, "kept.db"), "write");
  await createStore(backend).bots.add(sampleBot(1), "h", null);
  await migrate(backend, undefined, EXTENDED_MIGRATIONS);
  const { rows } = await sql`select id, motto from bots`.execute(backend.database);
  assert.deepEqual(
    rows.map((row) => ({ ...(row as object) })),
    [{ id: sampleBot(1).id, motto: sampleBot(1).name }],
  );
  await backend.database.destroy();
});

async function checksum(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
