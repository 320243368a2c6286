import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { createGunzip, gzipSync } from "node:zlib";

import { extract } from "tar-stream";

import { sampleId } from "#testing/store-cases/store-samples.ts";

import { openArchives } from "./archives.ts";
import type { ArchiveParts, Archives } from "./archives.ts";
import { openReplays } from "./replays.ts";

const LADDER = "spring-cup";
const MATCHES = 250;
const PAGE = 40;
const { signal } = new AbortController();

let root: string;
let folder: string;
let archives: Archives;

before(async () => {
  root = await mkdtemp(join(tmpdir(), "bout-archives-"));
  const replays = await openReplays(join(root, "replays"));
  for (let number = 0; number < MATCHES; number += 10)
    await replays.write(sampleId("match", number), gzipSync(`replay ${number}`));
});
after(() => rm(root, { recursive: true, force: true }));
beforeEach(async () => {
  folder = join(await mkdtemp(join(root, "case-")), "archives");
  archives = await openArchives(folder, join(root, "replays"));
});

const lineOf = (number: number) => JSON.stringify({ id: sampleId("match", number), map: "Öde" });

/** Matches 0 to `count`, newest first, in pages. */
async function* pages(count = MATCHES): ArchiveParts["matches"] {
  const numbers = Array.from({ length: count }, (_, place) => count - 1 - place);
  for (let from = 0; from < count; from += PAGE)
    yield numbers.slice(from, from + PAGE).map((number) => {
      return { id: sampleId("match", number), text: lineOf(number) };
    });
}

const parts = (matches = pages()): ArchiveParts => ({
  documents: [
    { name: "archive.json", text: '{"format":1}' },
    { name: "standings.json", text: "[]" },
  ],
  matches,
});

/** Names and texts of all files of an archive, in order. */
async function filesOf(path: string): Promise<[name: string, content: Buffer][]> {
  const found: [string, Buffer][] = [];
  const tar = createReadStream(path).pipe(createGunzip()).pipe(extract());
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    found.push([entry.header.name, Buffer.concat(chunks)]);
  }
  return found;
}

describe("an archive", () => {
  it("has the documents, all matches oldest first, and the replays that are there", async () => {
    const made = await archives.make(LADDER, parts(), signal);
    const bytes = await readFile(archives.path(LADDER));
    assert.equal(archives.path(LADDER), join(folder, `${LADDER}.tar.gz`));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual(made, { bytes: bytes.length, sha256, matches: MATCHES, replays: 25 });
    const files = await filesOf(archives.path(LADDER));
    const kept = Array.from({ length: 25 }, (_, place) => sampleId("match", 10 * place));
    assert.deepEqual(
      files.map(([name]) => name),
      [
        "archive.json",
        "standings.json",
        "matches.jsonl",
        ...kept.map((id) => `replays/${id}.jsonl.gz`),
        "replays.json",
      ],
    );
    const lines = Array.from({ length: MATCHES }, (_, number) => `${lineOf(number)}\n`);
    assert.equal(files[2]![1].toString(), lines.join(""));
    assert.deepEqual(files[4]![1], gzipSync("replay 10"));
    assert.deepEqual(JSON.parse(files.at(-1)![1].toString()), kept);
  });

  it("is for its owner alone, as is its folder, and nothing else is left there", async () => {
    await archives.make(LADDER, parts(), signal);
    assert.deepEqual(await readdir(folder), [`${LADDER}.tar.gz`]);
    assert.equal((await stat(archives.path(LADDER))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it("may be of a ladder on which nothing was played", async () => {
    await archives.make(LADDER, parts(pages(0)), signal);
    const files = await filesOf(archives.path(LADDER));
    assert.deepEqual(files.slice(2), [
      ["matches.jsonl", Buffer.alloc(0)],
      ["replays.json", Buffer.from("[]")],
    ]);
  });

  it("is known by its ladder and its size", async () => {
    assert.equal(await archives.sizeOf(LADDER), null);
    assert.deepEqual(await archives.ladders(), new Set());
    const { bytes } = await archives.make(LADDER, parts(), signal);
    await mkdir(join(folder, "a-folder.tar.gz"));
    assert.equal(await archives.sizeOf(LADDER), bytes);
    assert.equal(await archives.sizeOf("a-folder"), null);
    assert.deepEqual(await archives.ladders(), new Set([LADDER]));
  });

  for (const strange of ["", "..", "../x", "a/b", "A", "a", `${LADDER}\n`, "x".repeat(33)])
    it(`is not of a ladder ${JSON.stringify(strange)}`, async () => {
      assert.throws(() => archives.path(strange), { code: "invalid" });
      await assert.rejects(archives.sizeOf(strange), { code: "invalid" });
      await assert.rejects(archives.make(strange, parts(), signal), { code: "invalid" });
    });
});

describe("an archive that is not finished", () => {
  it("leaves nothing when it is aborted while matches are read", async () => {
    const ending = new AbortController();
    async function* endless(): ArchiveParts["matches"] {
      for await (const page of pages()) {
        yield page;
        ending.abort();
      }
    }
    const making = archives.make(LADDER, parts(endless()), ending.signal);
    await assert.rejects(making, { name: "AbortError" });
    assert.deepEqual(await readdir(folder), []);
  });

  it("leaves nothing when the matches cannot be read, and can be made again", async () => {
    async function* failing(): ArchiveParts["matches"] {
      yield* pages(PAGE);
      throw new Error("the store is away");
    }
    await assert.rejects(archives.make(LADDER, parts(failing()), signal), /the store is away/);
    assert.deepEqual(await readdir(folder), []);
    assert.equal((await archives.make(LADDER, parts(), signal)).matches, MATCHES);
  });

  it("leaves nothing when a replay cannot be read", async () => {
    const other = await openArchives(
      folder,
      join(root, "replays", `${sampleId("match", 0)}.jsonl.gz`),
    );
    await assert.rejects(other.make(LADDER, parts(), signal), { name: "StoreError" });
    assert.deepEqual(await readdir(folder), []);
  });

  it("of a killed server is removed at the next start, and nothing else is", async () => {
    const names = [`${LADDER}.tar.gz.0a-1b.tmp`, `${LADDER}.tar.gz.matches.tmp`];
    for (const name of [...names, "notes.tmp", "old-cup.tar.gz"])
      await writeFile(join(folder, name), "half");
    await openArchives(folder, join(root, "replays"));
    assert.deepEqual((await readdir(folder)).toSorted(), ["notes.tmp", "old-cup.tar.gz"]);
  });
});

it("packs many replays in little memory", async () => {
  const replays = await openReplays(join(root, "many"));
  const large = randomBytes(2 ** 20);
  const count = 60;
  for (let number = 0; number < count; number += 1)
    await replays.write(sampleId("match", number), large);
  const shelf = await openArchives(folder, join(root, "many"));
  await shelf.make(LADDER, parts(pages(1)), signal);
  const former = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  const { bytes } = await shelf.make(LADDER, parts(pages(count)), signal);
  clearInterval(watch);
  assert.ok(bytes > count * 2 ** 20);
  assert.ok(most - former < 45 * 2 ** 20, `${(most - former) / 2 ** 20} MB`);
});
