import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { createGunzip, gzipSync } from "node:zlib";

import { extract } from "tar-stream";

import { sampleId } from "#testing/store-contract/store-samples.ts";

import { openArchives } from "./archives.ts";
import type { ArchiveContents, Archives } from "./archives.ts";
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

const matchJson = (number: number) => JSON.stringify({ id: sampleId("match", number), map: "Öde" });

async function* pages(count = MATCHES): ArchiveContents["matches"] {
  const numbers = Array.from({ length: count }, (_, index) => count - 1 - index);
  for (let start = 0; start < count; start += PAGE)
    yield numbers.slice(start, start + PAGE).map((number) => {
      return { id: sampleId("match", number), text: matchJson(number) };
    });
}

const archiveContents = (matches = pages()): ArchiveContents => ({
  documents: [
    { name: "archive.json", text: '{"format":1}' },
    { name: "standings.json", text: "[]" },
  ],
  matches,
});

async function filesOf(path: string): Promise<[name: string, content: Buffer][]> {
  const files: [string, Buffer][] = [];
  const tar = createReadStream(path).pipe(createGunzip()).pipe(extract());
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk as Uint8Array);
    files.push([entry.header.name, Buffer.concat(chunks)]);
  }
  return files;
}

describe("archives", () => {
  it("contain the documents, all matches oldest first, and the existing replays", async () => {
    const archive = await archives.make(LADDER, archiveContents(), signal);
    const bytes = await readFile(archives.path(LADDER));
    assert.equal(archives.path(LADDER), join(folder, `${LADDER}.tar.gz`));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual(archive, { bytes: bytes.length, sha256, matches: MATCHES, replays: 25 });
    const files = await filesOf(archives.path(LADDER));
    const replayIds = Array.from({ length: 25 }, (_, index) => sampleId("match", 10 * index));
    assert.deepEqual(
      files.map(([name]) => name),
      [
        "archive.json",
        "standings.json",
        "matches.jsonl",
        ...replayIds.map((id) => `replays/${id}.jsonl.gz`),
        "replays.json",
      ],
    );
    const lines = Array.from({ length: MATCHES }, (_, number) => `${matchJson(number)}\n`);
    assert.equal(files[2]![1].toString(), lines.join(""));
    assert.deepEqual(files[4]![1], gzipSync("replay 10"));
    assert.deepEqual(JSON.parse(files.at(-1)![1].toString()), replayIds);
  });

  it("are readable only by the owner, as is the folder, and leave no temporary files", async () => {
    await archives.make(LADDER, archiveContents(), signal);
    assert.deepEqual(await readdir(folder), [`${LADDER}.tar.gz`]);
    assert.equal((await stat(archives.path(LADDER))).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  it("can be created for a ladder without matches", async () => {
    await archives.make(LADDER, archiveContents(pages(0)), signal);
    const files = await filesOf(archives.path(LADDER));
    assert.deepEqual(files.slice(2), [
      ["matches.jsonl", Buffer.alloc(0)],
      ["replays.json", Buffer.from("[]")],
    ]);
  });

  it("are listed by ladder, with their size", async () => {
    assert.equal(await archives.sizeOf(LADDER), null);
    assert.deepEqual(await archives.ladders(), new Set());
    const { bytes } = await archives.make(LADDER, archiveContents(), signal);
    await mkdir(join(folder, "a-folder.tar.gz"));
    assert.equal(await archives.sizeOf(LADDER), bytes);
    assert.equal(await archives.sizeOf("a-folder"), null);
    assert.deepEqual(await archives.ladders(), new Set([LADDER]));
  });

  for (const invalidId of ["", "..", "../x", "a/b", "A", "a", `${LADDER}\n`, "x".repeat(33)])
    it(`rejects the ladder ID ${JSON.stringify(invalidId)}`, async () => {
      assert.throws(() => archives.path(invalidId), { code: "invalid" });
      await assert.rejects(archives.sizeOf(invalidId), { code: "invalid" });
      await assert.rejects(archives.make(invalidId, archiveContents(), signal), {
        code: "invalid",
      });
    });
});

describe("unfinished archives", () => {
  it("are removed when `signal` aborts", async () => {
    const controller = new AbortController();
    async function* pagesUntilAborted(): ArchiveContents["matches"] {
      for await (const page of pages()) {
        yield page;
        controller.abort();
      }
    }
    const pendingArchive = archives.make(
      LADDER,
      archiveContents(pagesUntilAborted()),
      controller.signal,
    );
    await assert.rejects(pendingArchive, { name: "AbortError" });
    assert.deepEqual(await readdir(folder), []);
  });

  it("are removed when matches can't be read, and can be retried", async () => {
    async function* failing(): ArchiveContents["matches"] {
      yield* pages(PAGE);
      throw new Error("store unavailable");
    }
    await assert.rejects(
      archives.make(LADDER, archiveContents(failing()), signal),
      /store unavailable/,
    );
    assert.deepEqual(await readdir(folder), []);
    assert.equal((await archives.make(LADDER, archiveContents(), signal)).matches, MATCHES);
  });

  it("are removed when a replay can't be read", async () => {
    const brokenArchives = await openArchives(
      folder,
      join(root, "replays", `${sampleId("match", 0)}.jsonl.gz`),
    );
    await assert.rejects(brokenArchives.make(LADDER, archiveContents(), signal), {
      name: "StoreError",
    });
    assert.deepEqual(await readdir(folder), []);
  });

  it("are removed at the next start after a kill, without touching other files", async () => {
    const names = [`${LADDER}.tar.gz.0a-1b.tmp`, `${LADDER}.tar.gz.matches.tmp`];
    for (const name of [...names, "notes.tmp", "old-cup.tar.gz"])
      await writeFile(join(folder, name), "half");
    await openArchives(folder, join(root, "replays"));
    assert.deepEqual((await readdir(folder)).toSorted(), ["notes.tmp", "old-cup.tar.gz"]);
  });
});

it("packs many replays with little memory", async () => {
  const replays = await openReplays(join(root, "many"));
  const large = randomBytes(2 ** 20);
  const count = 60;
  for (let number = 0; number < count; number += 1)
    await replays.write(sampleId("match", number), large);
  const archivesOfMany = await openArchives(folder, join(root, "many"));
  await archivesOfMany.make(LADDER, archiveContents(pages(1)), signal);
  const rssBefore = process.memoryUsage.rss();
  let peakRss = 0;
  const sampler = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 5);
  const { bytes } = await archivesOfMany.make(LADDER, archiveContents(pages(count)), signal);
  clearInterval(sampler);
  assert.ok(bytes > count * 2 ** 20);
  assert.ok(peakRss - rssBefore < 45 * 2 ** 20, `${(peakRss - rssBefore) / 2 ** 20} MB`);
});
