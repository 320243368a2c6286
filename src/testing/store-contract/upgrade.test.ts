import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { sql } from "kysely";

import { totalGames } from "#core/ladder/version-record.ts";
import { appliedSchema, migrate, MIGRATIONS } from "#data/migrations/migrations.ts";
import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import { fileUpgradeObserver, postgresUpgradeObserver } from "#data/migrations/upgrade.ts";
import type { UpgradeLogEntry } from "#data/migrations/upgrade.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";

import { EXTENDED_MIGRATIONS } from "./extended-migrations.ts";
import { openEmbeddedPostgres } from "./pglite.ts";
import type { EmbeddedPostgres } from "./pglite.ts";
import {
  onlyReleasedFields,
  FIXTURE_MATCHES,
  fixtureReads,
  fixtureSchemas,
  loadFixture,
  readEverything,
  UPGRADED_AT,
} from "./upgrade-fixture.ts";

const NEWEST_NUMBER = MIGRATIONS[MIGRATIONS.length - 1]!.number;
const MIGRATING_PROCESS = fileURLToPath(new URL("./migrating-process.ts", import.meta.url));
/**
 * Kill steps: every step before `DENSE_STEP_LIMIT`, which includes the copy, then every `STRIDE`th
 * step.
 */
const STEPS = 160;
const DENSE_STEP_LIMIT = 12;
const STRIDE = 12;
const HUGE_FILE_BYTES = 2 ** 43;

/** SHA-256 of each released migration's statements, ignoring whitespace. */
const RELEASE_HASHES: Readonly<Record<number, string>> = {
  22: "bcc526c4061dbcaf8a3b67aa8ba343fe19a7ca502e40913070ff3315af56a3bb",
  23: "bed00bb23b80a76d81a014d259a790258385cb3caf68cc225de60353594b532e",
  24: "a12d3e2815a6fa08231c9203e573cb23fae0d6a070433762fc67444917031961",
  25: "e4f5b8c264a9801f1713845944ef932a408d8953f3c226d7a5558b789694344f",
  26: "745782770d6fc4cca5f5a906031faa8d7effce11b2f1314ee008c60dc798815c",
  27: "3e366d3e82e93f9b00200dce639c6b72929a4a7d94793066a281238a1f2ffa7c",
  28: "9d01753a07268fbea52cfc1059cebf14f67b57adc3913fdd136b17c0f80b0d7a",
  29: "a3790146889eebef20c3ebfc708abf9aea33529e6b3b98ca1bfbff65bac10902",
  30: "10870b0b5f630c16748e6ce4bea788bc7d1bf75fde73049913eb0eaa36879f87",
  31: "cf27080b66ee1772579708c28ab1218a3e7bdaf4a2da45c134ca1008fc445dc5",
  32: "e6f7dbb812480cfb54a2deed8350490015290362ddd6f90e2174ab47e5e7ad47",
  33: "d4ec1d2c923566dac19695176047979059a08e2e291b6061fffb8a2c08fa8e10",
  34: "7ca0cafce11ace07a3ce05848b69e6fc7aac953e336bc84204acf1aa0d9b5fdb",
  35: "78c23ccd182f74a8ef222f73d9707abf5be5294791633b49198997aeb4cf966d",
  36: "24974715d785dad721bb7239fb7e117fa706f042df3390b516f44bba6476638a",
  37: "273b74782da5291d499ac6487dfe71a138b1c718e920cf376d04e752123b3dc2",
  38: "e6e10f5fe5835ced396e5b50fe711a17c6a41d9973a29b5f8a1309ef62a2bfcb",
};

it("released migrations never change", () => {
  const { types } = sqliteBackend(sqliteDialect(":memory:", "write"));
  for (const [number, sum] of Object.entries(RELEASE_HASHES)) {
    const step = MIGRATIONS.find((migration) => migration.number === Number(number));
    const text = step?.statements(types, UPGRADED_AT).join(";").replaceAll(/\s+/g, " ") ?? "";
    assert.equal(createHash("sha256").update(text).digest("hex"), sum, `schema ${number}`);
  }
});

async function checkReads(backend: Backend, schema: number): Promise<void> {
  const store = createStore(backend);
  assert.deepEqual(await store.database.faults(), []);
  await checkLadder(store);
  const released = fixtureReads(schema);
  assert.deepEqual(onlyReleasedFields(await readEverything(store), released), released);
  assert.deepEqual(await store.database.faults(), []);
}

async function checkLadder(store: Store): Promise<void> {
  const seasons = await store.seasons.list();
  const ladderStatsList = await Promise.all(
    seasons.map(({ id }) => store.stats.competition({ ladderId: "public", season: id }, 100)),
  );
  const { totals, maps, players, house } = await store.stats.ladder({
    ladderId: "public",
    rivalries: 100,
  });
  const results = ladderStatsList.flatMap((ladderResults) => ladderResults.maps);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  assert.equal(
    totals.games,
    sum(ladderStatsList.map((ladderResults) => ladderResults.totals.games)),
  );
  assert.equal(players.wins + house.wins, sum(results.map(({ wins }) => wins)));
  assert.equal(players.bots + house.bots, new Set(results.map(({ botId }) => botId)).size);
  assert.equal(sum(maps.map(({ games }) => games)) * 2, sum(results.map(totalGames)));
  assert.ok(results.length > 0);
}

async function checkUpgrade(backend: Backend, schema: number): Promise<void> {
  await loadFixture(backend, schema);
  assert.equal(await appliedSchema(backend.database), schema);
  await migrate(backend, UPGRADED_AT);
  assert.equal(await appliedSchema(backend.database), NEWEST_NUMBER);
  if (schema < 26) await checkPeopleMigration(backend);
  if (schema < 36) await checkRatedGames(backend);
  await checkReads(backend, schema);
}

/**
 * Asserts that a version's rated seats in a competition are numbered from 1, in order of match end.
 */
async function checkRatedGames({ database }: Backend): Promise<void> {
  const seats = await database
    .selectFrom("seats")
    .select(["version_id", "ladder_id", "season", "rating_after", "rated_games"])
    .orderBy("ended")
    .orderBy("match_id")
    .execute();
  const games = new Map<string, number>();
  for (const { version_id, ladder_id, season, rating_after, rated_games } of seats) {
    const key = `${version_id} ${ladder_id} ${season}`;
    if (rating_after !== null) games.set(key, (games.get(key) ?? 0) + 1);
    assert.equal(rated_games, rating_after === null ? null : games.get(key));
  }
  assert.ok(Math.max(...games.values()) > 1);
}

/**
 * Checks changes that schema 26 made to rows without people and accounts, where no read shows the
 * changes.
 */
async function checkPeopleMigration({ database }: Backend): Promise<void> {
  const bots = await database.selectFrom("bots").select(["name", "owner_id"]).execute();
  assert.deepEqual(Object.fromEntries(bots.map((bot) => [bot.name, bot.owner_id])), {
    "house-kiter": "house",
    Ada_One: "anon:ada lovelace",
    "ada-two": "anon:ada lovelace",
    GRETA: "anon:größe",
    greta2: "anon:größe",
    "Old-Timer": "anon:o'neill; sons",
    Cheater: "anon:eve",
    Quiet: "anon:ada lovelace",
    Fresh: "anon:zoë 🤺",
  });
  const seats = await database
    .selectFrom("seats as s")
    .innerJoin("bots as b", "b.id", "s.bot_id")
    .innerJoin("versions as v", "v.id", "s.version_id")
    .select(["s.name", "s.version", "s.mode", "s.account_id", "s.deviation_after", "s.score_after"])
    .select(["b.name as bot", "v.label"])
    .execute();
  assert.equal(seats.length, 2 * FIXTURE_MATCHES.length);
  const unknown = { account_id: null, deviation_after: null, score_after: null };
  for (const { bot: name, label: version, ...seat } of seats)
    assert.deepEqual({ ...seat }, { name, version, mode: "ranked", ...unknown });
  const ladders = await database.selectFrom("final_standings").select("ladder_id").execute();
  assert.ok(ladders.every(({ ladder_id }) => ladder_id === "public"));
}

describe("database of a released schema", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  after(() => server.close());

  it("has a fixture for the first schemas", () => {
    assert.deepEqual(fixtureSchemas().slice(0, 2), [22, 25]);
  });

  for (const schema of fixtureSchemas()) {
    it(`schema ${schema} on SQLite returns the same reads after the upgrade`, async () => {
      const backend = sqliteBackend(sqliteDialect(":memory:", "write"));
      await checkUpgrade(backend, schema);
      await backend.database.destroy();
    });

    it(`schema ${schema} on PostgreSQL returns the same reads after the upgrade`, async () => {
      await server.clear();
      await checkUpgrade(postgresBackend(server.dialect()), schema);
    });
  }

  it("consents from before schema 38 cover no redirect URI after the upgrade", async () => {
    await server.clear();
    const sqlite = sqliteBackend(sqliteDialect(":memory:", "write"));
    for (const backend of [sqlite, postgresBackend(server.dialect())]) {
      await loadFixture(backend, 36);
      for (const row of OLD_CONSENT) await sql.raw(`insert into ${row}`).execute(backend.database);
      await migrate(backend, UPGRADED_AT);
      const consent = await createStore(backend).grants.consent("user-1", "client-1");
      assert.deepEqual([consent?.scopes, consent?.redirects], [["openid", "email"], []]);
    }
    await sqlite.database.destroy();
  });

  it("the upgrade on PostgreSQL makes no copy, and its log explains how to make one", async () => {
    await server.clear();
    const backend = postgresBackend(server.dialect());
    await loadFixture(backend, 22);
    const entries: string[] = [];
    const observer = postgresUpgradeObserver({
      keepsCopy: true,
      log: ({ msg }) => entries.push(msg),
    });
    await migrate(backend, UPGRADED_AT, MIGRATIONS, observer);
    assert.match(entries[1]!, /pg_dump/);
    assert.equal(entries.length, MIGRATIONS.length + 1);
  });
});

const OLD_CONSENT = [
  `identity_users (id, user_data, created_at, updated_at)
    values ('user-1', '{}', '${UPGRADED_AT}', '${UPGRADED_AT}')`,
  `identity_clients (id, kind, name, redirect_uris, auth_method, created_at) values
    ('client-1', 'dynamic', 'App', '["https://client.example/cb"]', 'none', '${UPGRADED_AT}')`,
  `identity_consents (user_id, client_id, scopes, granted_at)
    values ('user-1', 'client-1', 'openid email', '${UPGRADED_AT}')`,
];

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "bout-upgrade-"));
});
after(() => rm(directory, { recursive: true, force: true }));

async function releasedFolder(schema: number): Promise<{ data: string; path: string }> {
  const data = await mkdtemp(join(directory, `${schema}-`));
  const path = sqlitePath(data);
  const backend = sqliteBackend(sqliteDialect(path, "write"));
  await loadFixture(backend, schema);
  await backend.database.destroy();
  return { data, path };
}

/** Checksums of checked database files. Most kills leave the same bytes as the previous kill. */
const checkedHashes = new Set<string>();

async function wasChecked(path: string): Promise<boolean> {
  const sum = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  const isKnown = checkedHashes.has(sum);
  checkedHashes.add(sum);
  return isKnown;
}

async function checkUpgraded(backend: Backend, schema: number): Promise<void> {
  assert.deepEqual(await createStore(backend).database.faults(), []);
  const completePath = join(await mkdtemp(join(directory, "whole-")), "bout.db");
  await sql`vacuum into ${completePath}`.execute(backend.database);
  if (!(await wasChecked(completePath))) await checkReads(backend, schema);
}

/**
 * Checks that the copy contains the whole database from before the upgrade, by upgrading the copy
 * in another folder.
 */
async function checkCopy(copy: string, schema: number): Promise<void> {
  if (await wasChecked(copy)) return;
  const path = join(await mkdtemp(join(directory, "copy-")), "bout.db");
  await copyFile(copy, path);
  const backend = sqliteBackend(sqliteDialect(path, "write"));
  assert.equal(await appliedSchema(backend.database), schema);
  await migrate(backend, UPGRADED_AT);
  await checkReads(backend, schema);
  await backend.database.destroy();
}

function* lifetimes(): Generator<number> {
  for (let steps = 1; steps < STEPS; steps += steps < DENSE_STEP_LIMIT ? 1 : STRIDE) yield steps;
}

function withoutSeconds(entry: UpgradeLogEntry): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== "seconds"));
}

describe("upgrading a file", () => {
  for (const schema of fixtureSchemas())
    it(`T44 from schema ${schema} makes a copy first and resumes after a kill at any step`, async () => {
      const released = await releasedFolder(schema);
      let [killCount, copies] = [0, 0];
      for (const lifetime of lifetimes()) {
        const path = join(released.data, `killed-${lifetime}.db`);
        await copyFile(released.path, path);
        const child = spawn(process.execPath, [MIGRATING_PROCESS, path, String(lifetime)]);
        const [, signal] = (await once(child, "exit")) as [unknown, string | null];
        if (signal === null) break;
        killCount += 1;
        const backend = sqliteBackend(sqliteDialect(path, "write"));
        const copy = `${path}.schema-${schema}`;
        const reachedSchema = await appliedSchema(backend.database);
        if (reachedSchema > schema) assert.ok(existsSync(copy), `at step ${lifetime}`);
        if (existsSync(copy)) await checkCopy(copy, schema);
        copies += Number(existsSync(copy));
        const observer = fileUpgradeObserver(backend.database, path, QUIET_UPGRADE);
        await migrate(backend, UPGRADED_AT, EXTENDED_MIGRATIONS, observer);
        await checkUpgraded(backend, schema);
        await checkCopy(copy, schema);
        await backend.database.destroy();
      }
      assert.ok(
        copies > 0 && copies < killCount && killCount >= DENSE_STEP_LIMIT,
        `${copies} of ${killCount}`,
      );
      const remainingFiles = await readdir(released.data);
      assert.deepEqual(
        remainingFiles.filter((name) => name.endsWith(".part")),
        [],
      );
    });

  it("logs schemas, rows, the copy and steps, and makes the copy readable only by its owner", async () => {
    const { data, path } = await releasedFolder(22);
    // A leftover part of an older copy is harmless.
    await writeFile(`${path}.schema-22.part`, "cut short");
    const entries: UpgradeLogEntry[] = [];
    const log = (entry: UpgradeLogEntry) => entries.push(entry);
    const store = await openStore({ data }, UPGRADED_AT, { keepsCopy: true, log });
    await store.close();
    const copy = `${path}.schema-22`;
    assert.deepEqual(entries.map(withoutSeconds), [
      {
        msg: "upgrading the database",
        from: 22,
        to: NEWEST_NUMBER,
        rows: { bots: 9, versions: 16, matches: 56 },
      },
      { msg: "saved a copy of the database", file: copy },
      ...MIGRATIONS.slice(1).map(({ number: schema, name }) => {
        return { msg: "upgrade step finished", schema, name };
      }),
    ]);
    assert.deepEqual((await readdir(data)).toSorted(), ["bout.db", "bout.db.schema-22"]);
    assert.equal((await stat(copy)).mode & 0o777, 0o600);
    await checkCopy(copy, 22);
  });

  it("makes no copy if copies are disabled or the database is new or already upgraded", async () => {
    const { data } = await releasedFolder(22);
    const entries: string[] = [];
    const log = ({ msg }: UpgradeLogEntry) => entries.push(msg);
    for (const folder of [data, data, join(directory, "new")]) {
      const keepsCopy = folder !== data || entries.length > 0;
      await (await openStore({ data: folder }, UPGRADED_AT, { keepsCopy, log })).close();
      assert.deepEqual(await readdir(folder), ["bout.db"]);
    }
    assert.equal(entries.length, MIGRATIONS.length);
  });

  it("replaces an older copy of the same schema", async () => {
    const { data, path } = await releasedFolder(22);
    await writeFile(`${path}.schema-22`, "from the upgrade before the rollback");
    await (await openStore({ data }, UPGRADED_AT)).close();
    await checkCopy(`${path}.schema-22`, 22);
  });

  it("changes nothing and doesn't start if there is no disk space for the copy and the migrations", async () => {
    const { data, path } = await releasedFolder(22);
    await truncate(path, HUGE_FILE_BYTES);
    const before = await stat(path);
    const log = () => assert.fail("it started");
    await assert.rejects(openStore({ data }, UPGRADED_AT, { keepsCopy: true, log }), {
      code: "full",
      message:
        /schema 22 to \d+ needs 16777280 MiB of free disk space, but only \d+ MiB are free; nothing/,
    });
    await assert.rejects(openStore({ data }, UPGRADED_AT, { keepsCopy: false, log }), {
      message: /needs 8388672 MiB/,
    });
    assert.deepEqual(await readdir(data), ["bout.db"]);
    assert.equal((await stat(path)).mtimeMs, before.mtimeMs);
  });
});
