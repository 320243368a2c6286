// A failing disk, a full one and a lost connection never leave half a save.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { sql } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { openSqliteFile, sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import type { Store } from "#data/store/store.ts";

import { faultyDialect } from "./faulty-dialect.ts";
import type { QueryGate } from "./faulty-dialect.ts";
import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import { addSamplePlayers, sampleBot, sampleId, sampleMatch } from "./store-samples.ts";

/** More steps than a save has. */
const STEPS = 40;

/** Fails chosen steps once armed. */
class Faults implements QueryGate {
  #step = 0;
  #failing: (step: number) => boolean = () => false;
  #text = /./;
  #lostAfterCommit = false;
  #damaged: string | null = null;
  readonly #error: () => Error;

  constructor(error: () => Error) {
    this.#error = error;
  }

  arm(failing: (step: number) => boolean, text = /./): void {
    this.#step = 0;
    this.#failing = failing;
    this.#text = text;
  }

  loseCommitAnswer(lose: boolean): void {
    this.#lostAfterCommit = lose;
  }

  /** Makes every statement with this id hit a damaged page. */
  damage(id: string | null): void {
    this.#damaged = id;
  }

  step(query: { sql: string; parameters: readonly unknown[] }): void {
    if (this.#damaged !== null && query.parameters.includes(this.#damaged))
      throw Object.assign(new Error("malformed"), { errcode: 11 });
    if (this.#text.test(query.sql) && this.#failing(++this.#step)) throw this.#error();
  }

  done(): void {
    if (this.#lostAfterCommit) throw this.#error();
  }
}

const never = () => false;
const always = () => true;

function runFaults(name: string, faults: Faults, open: () => Promise<Backend>): void {
  describe(`a save over ${name}`, () => {
    let store: Store;
    before(async () => {
      const backend = await open();
      await migrate(backend);
      store = storeOf(backend);
      await addSamplePlayers(store, 2);
    });
    after(() => store.close());

    const kinds = [
      ["once", (at: number) => (step: number) => step === at],
      ["for ever", (at: number) => (step: number) => step >= at],
    ] as const;
    for (const [kind, failing] of kinds) {
      it(`T40 is whole or absent when any one step fails ${kind}`, async () => {
        const first = kind === "once" ? 1000 : 2000;
        let failures = 0;
        for (let at = 1; at <= STEPS; at++) {
          faults.arm(failing(at));
          const stored = await settles(store.matches.save(sampleMatch(first + at)));
          faults.arm(never);
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

    it("T39 fails for all that share a failed commit, and none is stored", async () => {
      const numbers = [3001, 3002, 3003, 3004];
      faults.arm(always, /^commit$/);
      const saves = numbers.map((number) => store.matches.save(sampleMatch(number)));
      const settled = await Promise.allSettled(saves);
      faults.arm(never);
      assert.deepEqual(settled.map(reasonOf), ["io", "io", "io", "io"]);
      for (const number of numbers)
        assert.equal(await store.matches.byId(sampleId("match", number)), null);
    });

    it("T43 fails alone when it meets a damaged page", async () => {
      const numbers = Array.from({ length: 20 }, (_, index) => 5001 + index);
      faults.damage(sampleId("match", 5007));
      const saves = numbers.map((number) => store.matches.save(sampleMatch(number)));
      const settled = await Promise.allSettled(saves);
      faults.damage(null);
      const refused = numbers.filter((_, index) => reasonOf(settled[index]!) === "damaged");
      assert.deepEqual(refused, [5007]);
      assert.equal(settled.filter((one) => one.status === "fulfilled").length, 19);
      assert.deepEqual(await store.database.faults(), []);
    });

    it("may be repeated when the answer to the commit was lost", async () => {
      const match = sampleMatch(4001);
      faults.loseCommitAnswer(true);
      const settled = await Promise.allSettled([store.matches.save(match)]);
      faults.loseCommitAnswer(false);
      assert.deepEqual(settled.map(reasonOf), ["io"]);
      await store.matches.save(match);
      assert.equal((await store.matches.byId(match.id))?.id, match.id);
      assert.deepEqual(await store.database.faults(), []);
    });
  });
}

async function settles(save: Promise<unknown>): Promise<boolean> {
  const [result] = await Promise.allSettled([save]);
  if (result.status === "rejected") assert.equal(reasonOf(result), "io");
  return result.status === "fulfilled";
}

function reasonOf(result: PromiseSettledResult<unknown>): unknown {
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

const sqliteFaults = new Faults(() => Object.assign(new Error("disk I/O error"), { errcode: 10 }));
runFaults("SQLite", sqliteFaults, async () =>
  sqliteBackend(faultyDialect(sqliteDialect(join(directory, "faulty.db"), "write"), sqliteFaults)),
);

const postgresFaults = new Faults(() => Object.assign(new Error("fsync"), { code: "58030" }));
runFaults("PostgreSQL", postgresFaults, async () =>
  postgresBackend(faultyDialect(server.dialect(), postgresFaults)),
);

describe("SQLite itself", () => {
  it("T38 rejects saves as full, reads on, and saves again when there is space", async () => {
    const backend = await openSqliteFile(join(directory, "full.db"), "write");
    const store = storeOf(backend);
    await addSamplePlayers(store, 2);
    await store.matches.save(sampleMatch(1));
    await limitPages(backend, 1);
    const numbers = Array.from({ length: 300 }, (_, index) => index + 2);
    const saves = await Promise.allSettled(numbers.map((n) => store.matches.save(sampleMatch(n))));
    const stored = numbers.filter((_, index) => saves[index]?.status === "fulfilled");
    assert.ok(stored.length < numbers.length);
    assert.deepEqual(new Set(saves.map(reasonOf)).has("full"), true);
    assert.equal((await store.matches.ids()).length, stored.length + 1);
    await limitPages(backend, 1_000_000);
    await store.matches.save(sampleMatch(1000));
    assert.deepEqual(await store.database.faults(), []);
    await store.close();
  });

  it("T39 opens a new connection after a commit that failed", async () => {
    const backend = await openSqliteFile(join(directory, "poisoned.db"), "write");
    const marked = sql`create temp table mark (x)`;
    await marked.execute(backend.database);
    const failing = backend.database.transaction().execute(async (transaction) => {
      await sql`pragma defer_foreign_keys = on`.execute(transaction);
      const orphan = { hash: "h", bot_id: "nobody", stale: 0 };
      await transaction.insertInto("tokens").values(orphan).execute();
    });
    await assert.rejects(failing, /FOREIGN KEY/);
    // A temporary table belongs to its connection, so only a new one can make a second.
    await marked.execute(backend.database);
    const store = storeOf(backend);
    assert.equal(await store.bots.add(sampleBot(1), "h", null), "added");
    await store.close();
  });
});

/** Lets the file grow by this many more pages. */
async function limitPages({ database }: Backend, more: number): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
  const limit = (rows[0]?.page_count ?? 0) + more;
  await sql.raw(`pragma max_page_count = ${limit}`).execute(database);
}
