import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";

import { sampleId } from "#testing/store-contract/store-samples.ts";

import { openReplays } from "./replays.ts";
import type { Replays } from "./replays.ts";

let folder: string;
let replays: Replays;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "bout-replays-")), "replays");
  replays = await openReplays(folder);
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

const id = (number: number) => sampleId("match", number);
const file = (number: number) => `${id(number)}.jsonl.gz`;

it("returns a replay as written", async () => {
  await replays.write(id(1), gzipSync("one"));
  await replays.write(id(1), gzipSync("one again"));
  const storedBytes = await replays.read(id(1));
  assert.equal(storedBytes && gunzipSync(storedBytes).toString(), "one again");
  assert.equal(await replays.read(id(2)), null);
  assert.equal(replays.path(id(1)), join(folder, file(1)));
});

it("writes many replays concurrently and leaves no temporary files", async () => {
  const numbers = Array.from({ length: 60 }, (_, number) => number);
  await Promise.all(numbers.map((number) => replays.write(id(number), gzipSync(`${number}`))));
  assert.deepEqual((await readdir(folder)).toSorted(), numbers.map(file).toSorted());
});

it("recreates a deleted folder", async () => {
  await rm(folder, { recursive: true });
  await Promise.all([1, 2].map((number) => replays.write(id(number), gzipSync(`${number}`))));
  assert.deepEqual((await readdir(folder)).toSorted(), [file(1), file(2)]);
});

it("removes a replay, even if it doesn't exist", async () => {
  await replays.write(id(1), gzipSync("one"));
  await replays.remove(id(1));
  await replays.remove(id(1));
  assert.equal(await replays.read(id(1)), null);
});

it("sweeps only temporary files and replays of unknown matches", async () => {
  for (const number of [1, 2, 3]) await replays.write(id(number), gzipSync("x"));
  await writeFile(join(folder, `${file(4)}.x.tmp`), "half");
  await writeFile(join(folder, "notes.txt"), "an operator's own");
  const { removed } = await replays.sweepReplays([id(1), id(3), id(9)], Infinity);
  assert.deepEqual(removed, [file(2), `${file(4)}.x.tmp`]);
  assert.deepEqual((await readdir(folder)).toSorted(), [file(1), file(3), "notes.txt"]);
});

it("T93 doesn't sweep files newer than the given time", async () => {
  const startMs = Date.UTC(2026, 0, 5);
  for (const number of [1, 2]) await replays.write(id(number), gzipSync("x"));
  await utimes(join(folder, file(1)), startMs / 1000 - 1, startMs / 1000 - 1);
  await utimes(join(folder, file(2)), startMs / 1000, startMs / 1000);
  assert.deepEqual((await replays.sweepReplays([], startMs)).removed, [file(1)]);
  assert.deepEqual(await readdir(folder), [file(2)]);
});

it("ignores a folder that has the name of a replay", async () => {
  for (const number of [1, 2]) await mkdir(join(folder, file(number)));
  const sweepResult = await replays.sweepReplays([id(1)], Infinity);
  assert.deepEqual(sweepResult, { removed: [], folders: [file(1), file(2)] });
  assert.equal(await replays.read(id(1)), null);
  await replays.remove(id(1));
  assert.deepEqual((await readdir(folder)).toSorted(), [file(1), file(2)]);
});

const INVALID_IDS = [
  "",
  "..",
  "../../etc/passwd",
  "a/b",
  `${id(1)}/..`,
  `${id(1)}\n`,
  "constructor",
];
for (const invalidId of INVALID_IDS) {
  it(`rejects ${JSON.stringify(invalidId)} as an ID`, async () => {
    assert.throws(() => replays.path(invalidId), { code: "invalid" });
    await assert.rejects(replays.write(invalidId, gzipSync("x")), { code: "invalid" });
    await assert.rejects(replays.read(invalidId), { code: "invalid" });
    await assert.rejects(replays.remove(invalidId), { code: "invalid" });
  });
}

it("rejects writes when a file has replaced the folder", async () => {
  await rm(folder, { recursive: true });
  await writeFile(folder, "");
  await assert.rejects(replays.write(id(1), gzipSync("x")), { code: "unavailable" });
});

it("creates the folder with owner-only permissions", async () => {
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});
