import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, describe, it } from "node:test";

import { recordDeletedAccount } from "#data/files/deleted-accounts.ts";
import { openReplays } from "#data/files/replays.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { openStore } from "#server/composition/open-store.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { sampleEntry, sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  SAMPLES_CREATED_AT,
} from "#testing/store-contract/store-samples.ts";

import { makeBackup } from "./backup.ts";
import { copyDurably, placeFiles, choosePlacer } from "./data-files.ts";
import { readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const wall = () => NOW;
const noProgress = () => {};

type Ladder = { root: string; data: string; matches: string[]; at: (name: string) => string };

/**
 * Creates a data folder with two matches, a picture, an archive, keys, emails, and files that a
 * backup must exclude.
 */
async function fillFolder(data: string): Promise<void> {
  const store = await openStore({ data }, SAMPLES_CREATED_AT);
  await addSamplePlayers(store, 2);
  const matches = [0, 1].map((number) => sampleMatch(number));
  for (const match of matches) await store.matches.save(match);
  await store.close();
  const replays = await openReplays(join(data, "replays"));
  for (const { id } of matches) await replays.write(id, Buffer.from(`replay of ${id}`));
  for (const folder of ["images", "archives", "assets"]) mkdirSync(join(data, folder));
  writeFileSync(join(data, "images", `${"a".repeat(64)}.webp`), "picture");
  writeFileSync(join(data, "archives", "cup.tar.gz"), "archive");
  writeFileSync(join(data, "archives", "cup.tar.gz.1.tmp"), "half");
  writeFileSync(join(data, "secrets.json"), "keys", { mode: 0o644 });
  writeFileSync(join(data, "outbox.jsonl"), "letter\n");
}

const MATCHES = [0, 1].map((number) => sampleId("match", number));
const SAMPLE = temporaryTestFolder();
before(() => fillFolder(SAMPLE));

function sampleLadder(): Ladder {
  const root = temporaryTestFolder();
  const data = join(root, "data");
  cpSync(SAMPLE, data, { recursive: true });
  return { root, data, matches: MATCHES, at: (name) => join(root, name) };
}

const planOf = ({ data, at }: Ladder, changes = {}) => ({
  data,
  database: null,
  folder: at("backup"),
  withSecrets: false,
  ...changes,
});

const backedUp = (ladder: Ladder, changes = {}) =>
  makeBackup(planOf(ladder, changes), wall, noProgress);

const restoreWith = (ladder: Ladder, changes = {}) =>
  restoreBackup(
    {
      folder: ladder.at("backup"),
      left: null,
      revoked: null,
      withoutKeys: false,
      data: ladder.at("new"),
      database: null,
      ...changes,
    },
    wall,
    noProgress,
  );

const pathsIn = ({ files }: Manifest) => files.map(({ path }) => path);

describe("a backup", () => {
  it("contains the database, its files and a manifest, but no emails or keys", async () => {
    const ladder = sampleLadder();
    const made = await backedUp(ladder);
    assert.deepEqual(pathsIn(made), [
      "archives/cup.tar.gz",
      "bout.db",
      `images/${"a".repeat(64)}.webp`,
      "left.jsonl",
      ...ladder.matches.map((id) => `replays/${id}.jsonl.gz`).toSorted(),
    ]);
    const { made: at, schema, secrets, database } = await readManifest(ladder.at("backup"));
    assert.deepEqual(
      [at, schema, secrets, database],
      [NOW.toISOString(), NEWEST_SCHEMA, false, "sqlite"],
    );
    const top = readdirSync(ladder.at("backup")).toSorted();
    assert.deepEqual(top, [
      "archives",
      "bout.db",
      "images",
      "left.jsonl",
      "manifest.json",
      "replays",
    ]);
  });

  it("shares its files' bytes with the server, except for the database", async () => {
    const ladder = sampleLadder();
    const made = await backedUp(ladder);
    const inode = (folder: string, path: string) => statSync(join(folder, path)).ino;
    const isShared = (path: string) =>
      inode(ladder.data, path) === inode(ladder.at("backup"), path);
    assert.ok(made.isLinked);
    assert.ok(isShared(`replays/${ladder.matches[0]}.jsonl.gz`));
    assert.ok(!isShared("bout.db"));
  });

  it("includes keys on request, readable only by their owner", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder, { withSecrets: true });
    const path = ladder.at("backup/secrets.json");
    assert.equal(readFileSync(path, "utf8"), "keys");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(ladder.at("backup")).mode & 0o777, 0o700);
  });

  it("contains no write-ahead log", async () => {
    const ladder = sampleLadder();
    const server = new DatabaseSync(join(ladder.data, "bout.db"));
    server.exec("pragma wal_autocheckpoint = 0; update seasons set id = id");
    const findFolders: unknown[] = [];
    const reportProgress = (statusText: string) => {
      if (statusText !== "files added meanwhile") return;
      findFolders.push({ ...server.prepare("pragma wal_checkpoint(truncate)").get() });
    };
    const holdTransaction = new DatabaseSync(join(ladder.data, "bout.db"), { readOnly: true });
    holdTransaction.exec("begin; select * from seasons");
    server.exec("update seasons set id = id; pragma busy_timeout = 0");
    const heldTransaction = { ...server.prepare("pragma wal_checkpoint(truncate)").get() };
    assert.equal(heldTransaction["busy"], 1, "an open reader would keep the log");
    holdTransaction.close();
    await makeBackup(planOf(ladder), wall, reportProgress);
    assert.deepEqual(findFolders, [{ busy: 0, log: 0, checkpointed: 0 }]);
    server.close();
  });

  it("includes replays and account deletions added while the database is being copied", async () => {
    const ladder = sampleLadder();
    const replays = await openReplays(join(ladder.data, "replays"));
    const lateAccount = sampleId("match", 9);
    const account = sampleId("account", 1);
    const work: Promise<void>[] = [];
    const reportProgress = (statusText: string) => {
      if (statusText !== "copying the database") return;
      writeFileSync(replays.path(lateAccount), "late");
      work.push(recordDeletedAccount(ladder.data, account, NOW.toISOString()));
    };
    const made = await makeBackup(planOf(ladder), wall, reportProgress);
    await Promise.all(work);
    assert.ok(pathsIn(made).includes(`replays/${lateAccount}.jsonl.gz`));
    assert.match(readFileSync(ladder.at("backup/left.jsonl"), "utf8"), new RegExp(account));
  });

  it("keeps files that the server deletes later, and skips files that are already gone", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder);
    const [deletedReplay = "", copiedFiles = ""] = ladder.matches.map(
      (id) => `replays/${id}.jsonl.gz`,
    );
    rmSync(join(ladder.data, deletedReplay));
    assert.ok(existsSync(join(ladder.at("backup"), deletedReplay)), "its bytes stay in the copy");
    for (const [name, placeFile] of [
      ["linked", await choosePlacer(ladder.data, ladder.root)],
      ["copied", copyDurably],
    ] as const) {
      mkdirSync(ladder.at(name));
      const placedFiles = await placeFiles(
        ladder.data,
        ladder.at(name),
        [deletedReplay, copiedFiles],
        placeFile,
        noProgress,
      );
      assert.deepEqual(placedFiles, [copiedFiles], name);
    }
  });

  it("is refused, and nothing is created, if it can't be made", async () => {
    const ladder = sampleLadder();
    const refusal = async (changes: object, message: RegExp) =>
      assert.rejects(backedUp(ladder, changes), { message, exitCode: 2 });
    await refusal({ folder: ladder.data }, /is not empty\. Use a new folder for each backup/);
    await refusal({ folder: join(ladder.data, "bout.db") }, /is not a folder/);
    await refusal({ data: ladder.at("nowhere") }, /the data folder \S+ doesn't exist/);
    await refusal({ data: ladder.root }, /there is no database in/);
    rmSync(join(ladder.data, "secrets.json"));
    await refusal({ withSecrets: true }, /there is no secrets\.json/);
    assert.ok(!existsSync(ladder.at("backup")), "nothing was created");
  });
});

type Spoil = (backup: string, matches: string[]) => void;

const DAMAGED_BACKUPS: [what: string, spoil: Spoil, message: RegExp][] = [
  [
    "that is incomplete",
    (backup) => rmSync(join(backup, "manifest.json")),
    /has no manifest\.json, so it is not a complete backup/,
  ],
  [
    "with a replay whose content changed",
    (backup, [match]) => {
      const path = join(backup, "replays", `${match}.jsonl.gz`);
      const bytes = readFileSync(path);
      bytes[3]! ^= 1;
      rmSync(path);
      writeFileSync(path, bytes);
    },
    /nothing was restored:\nreplays\/[^ ]+ has changed/,
  ],
  [
    "with a truncated database",
    (backup) => writeFileSync(join(backup, "bout.db"), "SQLite"),
    /bout\.db has 6 bytes instead of \d+/,
  ],
  [
    "with a missing file",
    (backup) => rmSync(join(backup, "archives", "cup.tar.gz")),
    /archives\/cup\.tar\.gz: missing/,
  ],
  [
    "of a newer release",
    (backup) => rewrite(backup, (manifest) => ({ ...manifest, schema: NEWEST_SCHEMA + 1 })),
    /has schema \d+, but this release supports up to \d+\. Use release/,
  ],
  [
    "with a path outside its folder",
    (backup) =>
      rewrite(backup, (manifest) => ({
        ...manifest,
        files: [...manifest.files, { path: "../bout.db", bytes: 0, sha256: "" }],
      })),
    /is damaged, or from a newer release/,
  ],
  [
    "with a pipe in place of a file",
    (backup) =>
      replace(join(backup, "archives", "cup.tar.gz"), (path) => spawnSync("mkfifo", [path])),
    /archives\/cup\.tar\.gz: not a regular file/,
  ],
  [
    "with a link in place of a file",
    (backup) => replace(join(backup, "left.jsonl"), (path) => symlinkSync("/dev/zero", path)),
    /left\.jsonl: not a regular file/,
  ],
  [
    "with a link in place of a folder",
    (backup) =>
      replace(join(backup, "archives"), (path) => {
        mkdirSync(`${path}.real`);
        writeFileSync(join(`${path}.real`, "cup.tar.gz"), "archive");
        symlinkSync(`${path}.real`, path);
      }),
    /archives\/cup\.tar\.gz: not a regular file/,
  ],
  [
    "with a pipe in place of its manifest",
    (backup) => replace(join(backup, "manifest.json"), (path) => spawnSync("mkfifo", [path])),
    /the manifest\.json of \S+: not a regular file/,
  ],
  [
    "without a list of deleted accounts",
    (backup) =>
      rewrite(backup, (manifest) => ({
        ...manifest,
        files: manifest.files.filter(({ path }) => path !== "left.jsonl"),
      })),
    /is damaged, or from a newer release/,
  ],
  ...[{ path: 5 }, { path: "x", bytes: -1, sha256: "" }, { path: "x", bytes: 0 }, null, 7].map(
    (file): (typeof DAMAGED_BACKUPS)[number] => [
      `that lists ${JSON.stringify(file)}`,
      (backup) =>
        rewrite(backup, (manifest) => ({ ...manifest, files: [...manifest.files, file as never] })),
      /is damaged, or from a newer release/,
    ],
  ),
];

function replace(path: string, make: (path: string) => void): void {
  rmSync(path, { recursive: true });
  make(path);
}

function rewrite(backup: string, change: (manifest: Manifest) => Manifest): void {
  const path = join(backup, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
  writeFileSync(path, JSON.stringify(change(manifest)));
}

describe("a restored ladder", () => {
  it("is the original ladder, is consistent, and has no replays without a match", async () => {
    const ladder = sampleLadder();
    const strayFile = sampleId("match", 9);
    writeFileSync(join(ladder.data, "replays", `${strayFile}.jsonl.gz`), "stray");
    await backedUp(ladder);
    const { faults, replaysMissing, left, unreadable } = await restoreWith(ladder);
    assert.deepEqual([faults, replaysMissing, left, unreadable], [[], 0, [], []]);
    const store = await openStore({ data: ladder.at("new") });
    assert.deepEqual((await store.matches.ids()).toSorted(), ladder.matches.toSorted());
    await store.close();
    const replays = readdirSync(ladder.at("new/replays")).toSorted();
    assert.deepEqual(replays, ladder.matches.map((id) => `${id}.jsonl.gz`).toSorted());
    assert.ok(existsSync(ladder.at("new/archives/cup.tar.gz")));
    for (const name of ["restoring", "secrets.json", "outbox.jsonl"])
      assert.ok(!existsSync(ladder.at(`new/${name}`)), name);
  });

  it("shares no bytes with its backup", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder);
    await restoreWith(ladder);
    const path = `replays/${ladder.matches[0]}.jsonl.gz`;
    const inode = (folder: string) => statSync(join(ladder.at(folder), path)).ino;
    assert.notEqual(inode("new"), inode("backup"));
  });

  it("excludes accounts on either list of deleted accounts", async () => {
    const ladder = sampleLadder();
    const store = await openStore({ data: ladder.data });
    const accounts = [1, 2, 3].map((number) => sampleAccount(number));
    const [earlyLeave, lateAccount, remaining] = accounts.map(({ id }) => id);
    for (const account of accounts) await store.accounts.add(account, sampleEntry());
    await store.close();
    await recordDeletedAccount(ladder.data, earlyLeave!, "2026-11-20T12:00:00.000Z");
    await backedUp(ladder);
    await recordDeletedAccount(ladder.data, lateAccount!, "2026-11-24T12:00:00.000Z");
    appendFileSync(join(ladder.data, "left.jsonl"), '{"account":"cut sho');
    const list = join(ladder.data, "left.jsonl");
    const { left, unreadable, faults } = await restoreWith(ladder, { left: list });
    assert.deepEqual([left, unreadable, faults], [[earlyLeave, lateAccount], [`${list}:3`], []]);
    const secondRestore = await openStore({ data: ladder.at("new") });
    const foundFiles = await Promise.all(accounts.map(({ id }) => secondRestore.accounts.byId(id)));
    const entries = await secondRestore.audit.list({ kind: "account.left", limit: 9 });
    await secondRestore.close();
    assert.deepEqual(
      foundFiles.map((account) => account?.id),
      [undefined, undefined, remaining],
    );
    assert.deepEqual(
      entries.map(({ detail }) => (detail as { left: string }).left),
      ["2026-11-24T12:00:00.000Z", "2026-11-20T12:00:00.000Z"],
    );
    const copiedFiles = readFileSync(ladder.at("new/left.jsonl"), "utf8");
    assert.equal(
      copiedFiles.trimEnd().split("\n").length,
      2,
      "the server appends to a list that has both",
    );
  });

  for (const [what, damage, message] of DAMAGED_BACKUPS)
    it(`is not created from a backup ${what}`, async () => {
      const ladder = sampleLadder();
      await backedUp(ladder);
      damage(ladder.at("backup"), ladder.matches);
      await assert.rejects(restoreWith(ladder), { message });
      assert.ok(!existsSync(ladder.at("new")), "nothing was written");
    });

  it("is not created in a non-empty folder", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder);
    await assert.rejects(restoreWith(ladder, { data: ladder.data }), { message: /is not empty/ });
    const database = "postgres://localhost/bout";
    await assert.rejects(restoreWith(ladder, { database }), { message: /omit --database/ });
  });
});
