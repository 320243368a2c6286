// A copy of a data folder: what is in it, what it leaves alone, and what it refuses.
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

import { noteLeft } from "#data/files/left.ts";
import { openReplays } from "#data/files/replays.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { openStore } from "#server/composition/open-store.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { entry, sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  SAMPLES_MADE,
} from "#testing/store-cases/store-samples.ts";

import { makeBackup } from "./backup.ts";
import { copied, placeFiles, placerFor } from "./kept-files.ts";
import { readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const wall = () => NOW;
const quiet = () => {};

type Ladder = { root: string; data: string; matches: string[]; at: (name: string) => string };

/** A data folder with two matches, a picture, an archive, keys, letters, and what nobody needs. */
async function fillFolder(data: string): Promise<void> {
  const store = await openStore({ data }, SAMPLES_MADE);
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
const SAMPLE = temporaryFolder();
before(() => fillFolder(SAMPLE));

function sampleLadder(): Ladder {
  const root = temporaryFolder();
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

const backedUp = (ladder: Ladder, changes = {}) => makeBackup(planOf(ladder, changes), wall, quiet);

const restored = (ladder: Ladder, changes = {}) =>
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
    quiet,
  );

const pathsIn = ({ files }: Manifest) => files.map(({ path }) => path);

describe("a backup", () => {
  it("has the database, the files that belong to it and a list, and no letters or keys", async () => {
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

  it("shares the bytes of files with the server, but not of the database", async () => {
    const ladder = sampleLadder();
    const made = await backedUp(ladder);
    const inode = (folder: string, path: string) => statSync(join(folder, path)).ino;
    const isShared = (path: string) =>
      inode(ladder.data, path) === inode(ladder.at("backup"), path);
    assert.ok(made.isLinked);
    assert.ok(isShared(`replays/${ladder.matches[0]}.jsonl.gz`));
    assert.ok(!isShared("bout.db"));
  });

  it("takes keys if it is told to, for nobody else to read", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder, { withSecrets: true });
    const path = ladder.at("backup/secrets.json");
    assert.equal(readFileSync(path, "utf8"), "keys");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(ladder.at("backup")).mode & 0o777, 0o700);
  });

  it("holds no log of the database once that is copied", async () => {
    const ladder = sampleLadder();
    const server = new DatabaseSync(join(ladder.data, "bout.db"));
    server.exec("pragma wal_autocheckpoint = 0; update seasons set id = id");
    const folds: unknown[] = [];
    const tell = (news: string) => {
      if (news !== "files that came meanwhile") return;
      folds.push({ ...server.prepare("pragma wal_checkpoint(truncate)").get() });
    };
    const hold = new DatabaseSync(join(ladder.data, "bout.db"), { readOnly: true });
    hold.exec("begin; select * from seasons");
    server.exec("update seasons set id = id; pragma busy_timeout = 0");
    const held = { ...server.prepare("pragma wal_checkpoint(truncate)").get() };
    assert.equal(held["busy"], 1, "a reader that stays would hold it");
    hold.close();
    await makeBackup(planOf(ladder), wall, tell);
    assert.deepEqual(folds, [{ busy: 0, log: 0, checkpointed: 0 }]);
    server.close();
  });

  it("has replays and leavers that came while the database was copied", async () => {
    const ladder = sampleLadder();
    const replays = await openReplays(join(ladder.data, "replays"));
    const late = sampleId("match", 9);
    const account = sampleId("account", 1);
    const work: Promise<void>[] = [];
    const tell = (news: string) => {
      if (news !== "copying the database") return;
      writeFileSync(replays.path(late), "late");
      work.push(noteLeft(ladder.data, account, NOW.toISOString()));
    };
    const made = await makeBackup(planOf(ladder), wall, tell);
    await Promise.all(work);
    assert.ok(pathsIn(made).includes(`replays/${late}.jsonl.gz`));
    assert.match(readFileSync(ladder.at("backup/left.jsonl"), "utf8"), new RegExp(account));
  });

  it("keeps files that a server trims later, and does without those that are gone already", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder);
    const [gone = "", kept = ""] = ladder.matches.map((id) => `replays/${id}.jsonl.gz`);
    rmSync(join(ladder.data, gone));
    assert.ok(existsSync(join(ladder.at("backup"), gone)), "its bytes stay in the copy");
    for (const [name, place] of [
      ["linked", await placerFor(ladder.data, ladder.root)],
      ["copied", copied],
    ] as const) {
      mkdirSync(ladder.at(name));
      const placed = await placeFiles(ladder.data, ladder.at(name), [gone, kept], place, quiet);
      assert.deepEqual(placed, [kept], name);
    }
  });

  it("is refused where it cannot be made", async () => {
    const ladder = sampleLadder();
    const refused = async (changes: object, message: RegExp) =>
      assert.rejects(backedUp(ladder, changes), { message, exitCode: 2 });
    await refused({ folder: ladder.data }, /is not empty: each backup has a folder of its own/);
    await refused({ folder: join(ladder.data, "bout.db") }, /is no folder/);
    await refused({ data: ladder.at("nowhere") }, /there is no data folder/);
    await refused({ data: ladder.root }, /there is no database in/);
    rmSync(join(ladder.data, "secrets.json"));
    await refused({ withSecrets: true }, /there is no secrets\.json/);
    assert.ok(!existsSync(ladder.at("backup")), "nothing was made");
  });
});

type Spoil = (backup: string, matches: string[]) => void;

const SPOILT: [what: string, spoil: Spoil, message: RegExp][] = [
  [
    "that is not complete",
    (backup) => rmSync(join(backup, "manifest.json")),
    /has no manifest\.json: it is no backup, or an incomplete one/,
  ],
  [
    "whose replay has other bytes",
    (backup, [match]) => {
      const path = join(backup, "replays", `${match}.jsonl.gz`);
      const bytes = readFileSync(path);
      bytes[3]! ^= 1;
      rmSync(path);
      writeFileSync(path, bytes);
    },
    /nothing was restored:\nreplays\/[^ ]+ is not what it was/,
  ],
  [
    "whose database was cut short",
    (backup) => writeFileSync(join(backup, "bout.db"), "SQLite"),
    /bout\.db has 6 bytes, not \d+/,
  ],
  [
    "that lost a file",
    (backup) => rmSync(join(backup, "archives", "cup.tar.gz")),
    /archives\/cup\.tar\.gz: missing/,
  ],
  [
    "of a later release",
    (backup) => rewrite(backup, (manifest) => ({ ...manifest, schema: NEWEST_SCHEMA + 1 })),
    /has schema \d+, and this release knows up to \d+: take release/,
  ],
  [
    "that leads out of its folder",
    (backup) =>
      rewrite(backup, (manifest) => ({
        ...manifest,
        files: [...manifest.files, { path: "../bout.db", bytes: 0, sha256: "" }],
      })),
    /is damaged, or of a later release/,
  ],
  [
    "in which a pipe stands for a file",
    (backup) =>
      replace(join(backup, "archives", "cup.tar.gz"), (path) => spawnSync("mkfifo", [path])),
    /archives\/cup\.tar\.gz: is no regular file/,
  ],
  [
    "in which a link stands for a file",
    (backup) => replace(join(backup, "left.jsonl"), (path) => symlinkSync("/dev/zero", path)),
    /left\.jsonl: is no regular file/,
  ],
  [
    "in which a link stands for a folder",
    (backup) =>
      replace(join(backup, "archives"), (path) => {
        mkdirSync(`${path}.real`);
        writeFileSync(join(`${path}.real`, "cup.tar.gz"), "archive");
        symlinkSync(`${path}.real`, path);
      }),
    /archives\/cup\.tar\.gz: is no regular file/,
  ],
  [
    "whose list is a pipe",
    (backup) => replace(join(backup, "manifest.json"), (path) => spawnSync("mkfifo", [path])),
    /the manifest\.json of \S+ is no regular file/,
  ],
  [
    "that does not list who left",
    (backup) =>
      rewrite(backup, (manifest) => ({
        ...manifest,
        files: manifest.files.filter(({ path }) => path !== "left.jsonl"),
      })),
    /is damaged, or of a later release/,
  ],
  ...[{ path: 5 }, { path: "x", bytes: -1, sha256: "" }, { path: "x", bytes: 0 }, null, 7].map(
    (file): (typeof SPOILT)[number] => [
      `that lists ${JSON.stringify(file)}`,
      (backup) =>
        rewrite(backup, (manifest) => ({ ...manifest, files: [...manifest.files, file as never] })),
      /is damaged, or of a later release/,
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
  it("is the ladder, sound, without replays that no match has", async () => {
    const ladder = sampleLadder();
    const stray = sampleId("match", 9);
    writeFileSync(join(ladder.data, "replays", `${stray}.jsonl.gz`), "stray");
    await backedUp(ladder);
    const { faults, replaysMissing, left, unreadable } = await restored(ladder);
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
    await restored(ladder);
    const path = `replays/${ladder.matches[0]}.jsonl.gz`;
    const inode = (folder: string) => statSync(join(ladder.at(folder), path)).ino;
    assert.notEqual(inode("new"), inode("backup"));
  });

  it("is without those who are on either list of leavers", async () => {
    const ladder = sampleLadder();
    const store = await openStore({ data: ladder.data });
    const accounts = [1, 2, 3].map((number) => sampleAccount(number));
    const [early, late, stays] = accounts.map(({ id }) => id);
    for (const account of accounts) await store.accounts.add(account, entry());
    await store.close();
    await noteLeft(ladder.data, early!, "2026-11-20T12:00:00.000Z");
    await backedUp(ladder);
    await noteLeft(ladder.data, late!, "2026-11-24T12:00:00.000Z");
    appendFileSync(join(ladder.data, "left.jsonl"), '{"account":"cut sho');
    const list = join(ladder.data, "left.jsonl");
    const { left, unreadable, faults } = await restored(ladder, { left: list });
    assert.deepEqual([left, unreadable, faults], [[early, late], [`${list}:3`], []]);
    const again = await openStore({ data: ladder.at("new") });
    const found = await Promise.all(accounts.map(({ id }) => again.accounts.byId(id)));
    const entries = await again.audit.list({ kind: "account.left", limit: 9 });
    await again.close();
    assert.deepEqual(
      found.map((account) => account?.id),
      [undefined, undefined, stays],
    );
    assert.deepEqual(
      entries.map(({ detail }) => (detail as { left: string }).left),
      ["2026-11-24T12:00:00.000Z", "2026-11-20T12:00:00.000Z"],
    );
    const kept = readFileSync(ladder.at("new/left.jsonl"), "utf8");
    assert.equal(kept.trimEnd().split("\n").length, 2, "the list goes on with both");
  });

  for (const [what, spoil, message] of SPOILT)
    it(`is not made of a backup ${what}`, async () => {
      const ladder = sampleLadder();
      await backedUp(ladder);
      spoil(ladder.at("backup"), ladder.matches);
      await assert.rejects(restored(ladder), { message });
      assert.ok(!existsSync(ladder.at("new")), "nothing was written");
    });

  it("is not made where something is", async () => {
    const ladder = sampleLadder();
    await backedUp(ladder);
    await assert.rejects(restored(ladder, { data: ladder.data }), { message: /is not empty/ });
    const database = "postgres://localhost/bout";
    await assert.rejects(restored(ladder, { database }), { message: /goes without --database/ });
  });
});
