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
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { openSqliteFile, sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { openStore } from "#server/composition/open-store.ts";
import { faultyDialect } from "#testing/store-cases/faulty-dialect.ts";
import { LONGER_HISTORY } from "#testing/store-cases/longer-history.ts";
import { openEmbeddedPostgres } from "#testing/store-cases/pglite.ts";
import type { EmbeddedPostgres } from "#testing/store-cases/pglite.ts";
import { sampleBot } from "#testing/store-cases/store-samples.ts";

import { appliedSchema, migrate, MIGRATIONS } from "./migrations.ts";

const MIGRATING = fileURLToPath(
  new URL("../../testing/store-cases/migrating-process.ts", import.meta.url),
);
const NEWEST = MIGRATIONS[MIGRATIONS.length - 1]!.number;
const REACHED = [0, ...LONGER_HISTORY.map(({ number }) => number)];
/** More steps than the longer history has. */
const STEPS = 400;
/** A new database is made whole or not at all, so it is enough to fail at every eighth step. */
const STRIDE = 8;

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "bout-migrations-"));
});
after(() => rm(directory, { recursive: true, force: true }));

async function shapeOf(backend: Backend): Promise<unknown[]> {
  const tables = await backend.database.introspection.getTables();
  return tables
    .map(({ name, columns }) => `${name} ${columns.map((column) => column.name).toString()}`)
    .toSorted();
}

describe("migrating over SQLite", () => {
  it("T44 is completed by the next run, wherever the process is killed", async () => {
    const whole = sqliteBackend(sqliteDialect(join(directory, "whole.db"), "write"));
    await migrate(whole, undefined, LONGER_HISTORY);
    const expected = await shapeOf(whole);
    await whole.database.destroy();
    let kills = 0;
    for (let lifetime = 1; lifetime < STEPS; lifetime += STRIDE) {
      const path = join(directory, `killed-${lifetime}.db`);
      const child = spawn(process.execPath, [MIGRATING, path, String(lifetime)]);
      const [, signal] = (await once(child, "exit")) as [unknown, string | null];
      const backend = sqliteBackend(sqliteDialect(path, "write"));
      assert.ok([0, NEWEST + 1].includes(await appliedSchema(backend.database)));
      await migrate(backend, undefined, LONGER_HISTORY);
      assert.deepEqual(await shapeOf(backend), expected);
      assert.deepEqual(await backend.faults(backend.database), []);
      await backend.database.destroy();
      if (signal === null) break;
      kills += 1;
    }
    assert.ok(kills >= 5 && kills * STRIDE < STEPS, `${kills} kills`);
  });

  it("T44 is refused by an older build, which leaves the file as it is", async () => {
    const data = join(directory, "newer");
    await mkdir(data);
    const path = join(data, "bout.db");
    const newer = sqliteBackend(sqliteDialect(path, "write"));
    await migrate(newer, undefined, LONGER_HISTORY);
    // Copied while open: the copy has a log that was never checkpointed into the file.
    const cut = join(directory, "newer-cut");
    await mkdir(cut);
    for (const ending of ["", "-wal"]) await copyFile(path + ending, join(cut, `bout.db${ending}`));
    await newer.database.destroy();
    for (const [folder, endings] of [
      [data, [""]],
      [cut, ["", "-wal"]],
    ] as const) {
      const files = endings.map((ending) => join(folder, `bout.db${ending}`));
      const sums = await Promise.all(files.map(checksum));
      await assert.rejects(openStore({ data: folder }), {
        code: "newer_schema",
        message: new RegExp(`schema ${NEWEST + 1}, this build knows up to ${NEWEST}:`),
      });
      assert.deepEqual(await Promise.all(files.map(checksum)), sums);
    }
  });

  it("may be started by several at once", async () => {
    const data = join(directory, "together");
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ data })));
    for (const store of stores) {
      assert.equal(await store.database.schema(), NEWEST);
      await store.close();
    }
    assert.deepEqual(await readdir(data), ["bout.db"]);
  });
});

describe("migrating over PostgreSQL", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  after(() => server.close());

  /** A run of all migrations whose connection ends after some steps. */
  function runFor(lifetime: number): Promise<void> {
    let steps = 0;
    const dialect = faultyDialect(server.dialect(), {
      step() {
        if (++steps > lifetime) throw new Error("Connection terminated");
      },
    });
    return migrate(postgresBackend(dialect), undefined, LONGER_HISTORY);
  }

  /** Lets runs fail at later and later steps, and returns how many did until one was whole. */
  async function failures(stride: number): Promise<number> {
    const { database } = postgresBackend(server.dialect());
    let failed = 0;
    let reached = await appliedSchema(database);
    for (let lifetime = 0; lifetime < STEPS; lifetime += stride) {
      const [run] = await Promise.allSettled([runFor(lifetime)]);
      const schema = await appliedSchema(database);
      assert.ok(REACHED.includes(schema));
      if (run.status === "fulfilled") break;
      failed += 1;
      // The next run begins at what this one has completed.
      if (schema > reached) lifetime = 0;
      reached = schema;
    }
    return failed;
  }

  it("T44 is completed by the next run, whichever step fails", async () => {
    const backend = postgresBackend(server.dialect());
    await migrate(backend, undefined, LONGER_HISTORY);
    const expected = await shapeOf(backend);
    for (const { made, stride, least } of [
      { made: [], stride: STRIDE, least: 5 },
      { made: MIGRATIONS.slice(0, 1), stride: 1, least: 50 },
    ]) {
      await server.clear();
      await migrate(backend, undefined, made);
      const failed = await failures(stride);
      assert.ok(failed >= least, `${failed} failures`);
      assert.equal(await appliedSchema(backend.database), NEWEST + 1);
      assert.deepEqual(await shapeOf(backend), expected);
    }
  });

  it("T44 is refused by an older build", async () => {
    await server.clear();
    const backend = postgresBackend(server.dialect());
    await migrate(backend, undefined, LONGER_HISTORY);
    await assert.rejects(migrate(backend), { code: "newer_schema" });
    assert.equal(await appliedSchema(backend.database), NEWEST + 1);
  });
});

it("keeps what was stored under the older schema", async () => {
  const backend = await openSqliteFile(join(directory, "kept.db"), "write");
  await storeOf(backend).bots.add(sampleBot(1), "h", null);
  await migrate(backend, undefined, LONGER_HISTORY);
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
