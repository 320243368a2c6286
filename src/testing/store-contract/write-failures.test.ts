import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { sql } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { openSqliteFile, sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import type { Store } from "#data/store/store.ts";

import { faultyDialect } from "./faulty-dialect.ts";
import type { QueryGate } from "./faulty-dialect.ts";
import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import { addSamplePlayers, sampleBot, sampleId, sampleMatch } from "./store-samples.ts";

const STEPS = 40;

class FaultInjector implements QueryGate {
  #step = 0;
  #failsAt: (step: number) => boolean = () => false;
  #text = /./;
  #lostAfterCommit = false;
  #damaged: string | null = null;
  readonly #error: () => Error;

  constructor(error: () => Error) {
    this.#error = error;
  }

  arm(failsAt: (step: number) => boolean, text = /./): void {
    this.#step = 0;
    this.#failsAt = failsAt;
    this.#text = text;
  }

  loseCommitAnswer(loseAnswer: boolean): void {
    this.#lostAfterCommit = loseAnswer;
  }

  /** Makes every statement that contains this ID fail as if it had read a damaged page. */
  damage(id: string | null): void {
    this.#damaged = id;
  }

  step(query: { sql: string; parameters: readonly unknown[] }): void {
    if (this.#damaged !== null && query.parameters.includes(this.#damaged))
      throw Object.assign(new Error("malformed"), { errcode: 11 });
    if (this.#text.test(query.sql) && this.#failsAt(++this.#step)) throw this.#error();
  }

  done(): void {
    if (this.#lostAfterCommit) throw this.#error();
  }
}

const neverFails = () => false;
const alwaysFails = () => true;

function runFaults(name: string, injector: FaultInjector, open: () => Promise<Backend>): void {
  describe(`saving on ${name}`, () => {
    let store: Store;
    before(async () => {
      const backend = await open();
      await migrate(backend);
      store = createStore(backend);
      await addSamplePlayers(store, 2);
    });
    after(() => store.close());

    const kinds = [
      ["once", (at: number) => (step: number) => step === at],
      ["forever", (at: number) => (step: number) => step >= at],
    ] as const;
    for (const [kind, failsAt] of kinds) {
      it(`T40 stores all or nothing if any single step fails ${kind}`, async () => {
        const first = kind === "once" ? 1000 : 2000;
        let failures = 0;
        for (let at = 1; at <= STEPS; at++) {
          injector.arm(failsAt(at));
          const stored = await isFulfilled(store.matches.save(sampleMatch(first + at)));
          injector.arm(neverFails);
          failures += Number(!stored);
          assert.equal((await store.matches.byId(sampleId("match", first + at))) !== null, stored);
          assert.deepEqual(await store.database.faults(), []);
          await store.matches.save(sampleMatch(first + at));
          if (stored) break;
        }
        assert.ok(failures >= 9 && failures < STEPS, `${failures} steps failed`);
        assert.deepEqual(await store.database.faults(), []);
      });
    }

    it("T39 stores none of the saves that share a failed commit", async () => {
      const numbers = [3001, 3002, 3003, 3004];
      injector.arm(alwaysFails, /^commit$/);
      const saves = numbers.map((number) => store.matches.save(sampleMatch(number)));
      const settled = await Promise.allSettled(saves);
      injector.arm(neverFails);
      assert.deepEqual(settled.map(rejectionReason), ["io", "io", "io", "io"]);
      for (const number of numbers)
        assert.equal(await store.matches.byId(sampleId("match", number)), null);
    });

    it("T43 fails only the save that hits a damaged page", async () => {
      const numbers = Array.from({ length: 20 }, (_, index) => 5001 + index);
      injector.damage(sampleId("match", 5007));
      const saves = numbers.map((number) => store.matches.save(sampleMatch(number)));
      const settled = await Promise.allSettled(saves);
      injector.damage(null);
      const refused = numbers.filter((_, index) => rejectionReason(settled[index]!) === "damaged");
      assert.deepEqual(refused, [5007]);
      assert.equal(settled.filter((result) => result.status === "fulfilled").length, 19);
      assert.deepEqual(await store.database.faults(), []);
    });

    it("can be repeated if the response to the commit was lost", async () => {
      const match = sampleMatch(4001);
      injector.loseCommitAnswer(true);
      const settled = await Promise.allSettled([store.matches.save(match)]);
      injector.loseCommitAnswer(false);
      assert.deepEqual(settled.map(rejectionReason), ["io"]);
      await store.matches.save(match);
      assert.equal((await store.matches.byId(match.id))?.id, match.id);
      assert.deepEqual(await store.database.faults(), []);
    });
  });
}

async function isFulfilled(save: Promise<unknown>): Promise<boolean> {
  const [result] = await Promise.allSettled([save]);
  if (result.status === "rejected") assert.equal(rejectionReason(result), "io");
  return result.status === "fulfilled";
}

function rejectionReason(result: PromiseSettledResult<unknown>): unknown {
  return result.status === "rejected" ? (result.reason as { code: unknown }).code : "stored";
}

let directory: string;
let server: EmbeddedPostgres;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "bout-faults-"));
  server = await openEmbeddedPostgres();
});
after(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

const sqliteFaults = new FaultInjector(() =>
  Object.assign(new Error("disk I/O error"), { errcode: 10 }),
);
runFaults("SQLite", sqliteFaults, async () =>
  sqliteBackend(faultyDialect(sqliteDialect(join(directory, "faulty.db"), "write"), sqliteFaults)),
);

const postgresFaults = new FaultInjector(() =>
  Object.assign(new Error("fsync"), { code: "58030" }),
);
runFaults("PostgreSQL", postgresFaults, async () =>
  postgresBackend(faultyDialect(server.dialect(), postgresFaults)),
);

describe("SQLite", () => {
  it("T38 rejects saves while the disk is full but still reads, and saves again once there is space", async () => {
    const backend = await openSqliteFile(join(directory, "full.db"), "write");
    const store = createStore(backend);
    await addSamplePlayers(store, 2);
    await store.matches.save(sampleMatch(1));
    await limitPages(backend, 1);
    const numbers = Array.from({ length: 300 }, (_, index) => index + 2);
    const saves = await Promise.allSettled(numbers.map((n) => store.matches.save(sampleMatch(n))));
    const stored = numbers.filter((_, index) => saves[index]?.status === "fulfilled");
    assert.ok(stored.length < numbers.length);
    assert.deepEqual(new Set(saves.map(rejectionReason)).has("full"), true);
    assert.equal((await store.matches.ids()).length, stored.length + 1);
    await limitPages(backend, 1_000_000);
    await store.matches.save(sampleMatch(1000));
    assert.deepEqual(await store.database.faults(), []);
    await store.close();
  });

  it("T39 opens a new connection after a failed commit", async () => {
    const backend = await openSqliteFile(join(directory, "poisoned.db"), "write");
    const markedRow = sql`create temp table mark (x)`;
    await markedRow.execute(backend.database);
    const failsAt = backend.database.transaction().execute(async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx);
      const orphan = { hash: "h", bot_id: "nobody", stale: 0 };
      await tx.insertInto("tokens").values(orphan).execute();
    });
    await assert.rejects(failsAt, /FOREIGN KEY/);
    // Temporary tables belong to a connection, so this table can be created again only on a new
    // connection.
    await markedRow.execute(backend.database);
    const store = createStore(backend);
    assert.equal(await store.bots.add(sampleBot(1), "h", null), "added");
    await store.close();
  });
});

async function limitPages({ database }: Backend, extraPages: number): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
  const limit = (rows[0]?.page_count ?? 0) + extraPages;
  await sql.raw(`pragma max_page_count = ${limit}`).execute(database);
}
