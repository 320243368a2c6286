// Captures profile the test's own thread and are written to a real disk.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Value } from "typebox/value";

import { newId } from "#base/clock/clock.ts";
import { CpuProfileSchema } from "#core/api/clean-profile.ts";
import type { CpuProfile } from "#core/api/clean-profile.ts";
import { CaptureSchema } from "#core/api/profiling.ts";
import type { Capture } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { openProfiles } from "#data/files/profiles.ts";
import type { Profiles } from "#data/files/profiles.ts";
import { StoreError } from "#data/store/errors.ts";
import { createCaptureClock, PROJECT_URL } from "#testing/fixtures/test-profiling.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { ROOT } from "#testing/tidy/sources.ts";

import { openCaptures } from "./captures.ts";
import type { Captures } from "./captures.ts";

const PARENT_FOLDER = temporaryTestFolder();
const SHORT_S = FIXED_LIMITS.capture_min_s;
const LONG_S = FIXED_LIMITS.capture_max_s;
let folders = 0;
const openedCaptures: Captures[] = [];
after(() => Promise.all(openedCaptures.map((captures) => captures.close())));

function newFolder(): string {
  folders += 1;
  return join(PARENT_FOLDER, `profiles-${folders}`);
}

async function openIn(folder: string, changes: Partial<Profiles> = {}) {
  const { clock, endCapture } = createCaptureClock();
  const warnings: object[] = [];
  const captures = await openCaptures({
    folder,
    profiles: { ...openProfiles(folder), ...changes },
    root: PROJECT_URL,
    clock,
    newId,
    log: { warn: (details) => void warnings.push(details) },
  });
  openedCaptures.push(captures);
  return { captures, warnings, end: endCapture };
}

async function untilOver(captures: Captures, id: string): Promise<Capture> {
  for (;;) {
    const capture = await captures.byId(id);
    assert.ok(capture !== null && Value.Check(CaptureSchema, capture));
    if (capture.state !== "recording") return capture;
    await pause(20);
  }
}

async function record(captures: Captures, label = "a label"): Promise<Capture> {
  const startedCapture = await captures.start(label, SHORT_S);
  assert.ok(startedCapture !== null);
  return untilOver(captures, startedCapture.id);
}

const readProfile = (folder: string, { id }: Capture): CpuProfile =>
  JSON.parse(readFileSync(join(folder, `${id}.cpuprofile`), "utf8")) as CpuProfile;

const captureNote = (fields: Partial<Capture> & Pick<Capture, "id">): Capture => ({
  label: "an old capture",
  started: "2026-01-05T12:00:00.000Z",
  endsAt: "2026-01-05T12:00:01.000Z",
  finished: "2026-01-05T12:00:01.000Z",
  state: "ready",
  size_bytes: 2,
  error: null,
  ...fields,
});

describe("a capture", () => {
  it("profiles the current thread and includes no local paths or values from memory", async () => {
    const folder = newFolder();
    const { captures, end } = await openIn(folder);
    const secret = "hunter2";
    const slow = new RegExp(`${secret}(?:a+)+b`);
    const startedCapture = await captures.start("../../etc/passwd", LONG_S);
    assert.equal(startedCapture?.state, "recording");
    const { id } = startedCapture;
    for (let at = 0; at < 20; at += 1) {
      spin();
      slow.test(secret + "a".repeat(20));
      await pause(1);
    }
    end();
    const capture = await untilOver(captures, id);
    assert.deepEqual([capture.state, capture.error], ["ready", null]);
    assert.deepEqual(readdirSync(folder).toSorted(), [`${id}.cpuprofile`, `${id}.json`]);
    const text = readFileSync(join(folder, `${id}.cpuprofile`), "utf8");
    assert.equal(capture.size_bytes, Buffer.byteLength(text));
    const profile: unknown = JSON.parse(text);
    assert.ok(Value.Check(CpuProfileSchema, profile));
    const names = profile.nodes.map(({ callFrame }) => callFrame.functionName);
    assert.ok(names.includes("spin"), "the profile is of the thread that started it");
    const spinNode = profile.nodes.find(({ callFrame }) => callFrame.functionName === "spin");
    assert.equal(spinNode?.callFrame.url, "src/live/profiling/captures.test.ts");
    for (const forbiddenText of [secret, ROOT, "file:", "/home/", process.cwd()])
      assert.ok(!text.includes(forbiddenText), forbiddenText);
  });

  it("runs one at a time and can be started again afterwards", async () => {
    const { captures } = await openIn(newFolder());
    const [first, second] = await Promise.all([
      captures.start("one", SHORT_S),
      captures.start("two", SHORT_S),
    ]);
    assert.equal(second, null);
    assert.equal((await untilOver(captures, first!.id)).state, "ready");
    assert.equal((await record(captures, "three")).state, "ready");
    assert.deepEqual(
      (await captures.list()).map(({ label }) => label),
      ["three", "one"],
    );
  });

  it("fails if the server stops during it, and stays failed after a restart", async () => {
    const folder = newFolder();
    const { captures, warnings } = await openIn(folder);
    const startedCapture = await captures.start("long", LONG_S);
    await captures.close();
    const { state, error, finished } = (await captures.byId(startedCapture!.id))!;
    assert.deepEqual([state, error], ["failed", "server_stopped"]);
    assert.ok(finished !== null);
    assert.equal(await captures.start("late", SHORT_S), null);
    assert.deepEqual(readdirSync(folder), [`${startedCapture!.id}.json`]);
    assert.deepEqual(warnings, []);
    const { captures: reopened } = await openIn(folder);
    assert.equal((await reopened.byId(startedCapture!.id))?.error, "server_stopped");
  });

  it("fails if the server stops while it is starting", async () => {
    const { captures } = await openIn(newFolder());
    const pendingStart = captures.start("long", LONG_S);
    await captures.close();
    assert.equal((await pendingStart)?.error, "server_stopped");
  });

  for (const [code, error] of [
    ["full", "disk_full"],
    ["io", "disk_failed"],
  ] as const)
    it(`fails with ${error} if its metadata can't be written, and the next capture succeeds`, async () => {
      let isBroken = true;
      const folder = newFolder();
      const realProfiles = openProfiles(folder);
      const failingNote: Profiles["putCapture"] = async (capture) => {
        if (isBroken) throw new StoreError(code, "no");
        return realProfiles.putCapture(capture);
      };
      const { captures, warnings } = await openIn(folder, { putCapture: failingNote });
      const startedCapture = await captures.start("a label", LONG_S);
      assert.deepEqual([startedCapture?.state, startedCapture?.error], ["failed", error]);
      assert.deepEqual(warnings, [{ capture: startedCapture!.id, error }]);
      isBroken = false;
      assert.equal((await record(captures)).state, "ready");
      assert.equal((await captures.list()).length, 2);
    });

  it("fails while a file has the folder's name, and works after that file is removed", async () => {
    const folder = newFolder();
    const { captures } = await openIn(folder);
    writeFileSync(folder, "");
    const startedCapture = await captures.start("a label", SHORT_S);
    assert.deepEqual([startedCapture?.state, startedCapture?.error], ["failed", "disk_failed"]);
    assert.deepEqual((await captures.list()).length, 1);
    rmSync(folder);
    assert.equal((await record(captures)).state, "ready");
  });

  it("fails if its profile can't be moved into place and leaves no partial file", async () => {
    const folder = newFolder();
    const { captures, warnings, end } = await openIn(folder);
    const { id } = (await captures.start("a label", LONG_S))!;
    mkdirSync(join(folder, `${id}.cpuprofile`));
    writeFileSync(join(folder, `${id}.cpuprofile`, "in the way"), "");
    end();
    const { state, error, size_bytes } = await untilOver(captures, id);
    assert.deepEqual([state, error, size_bytes], ["failed", "disk_failed", null]);
    assert.deepEqual(warnings, [{ capture: id, error }]);
    assert.deepEqual(readdirSync(folder).toSorted(), [`${id}.cpuprofile`, `${id}.json`]);
    assert.equal((await record(captures)).state, "ready");
  });

  it("continues after its folder is deleted", async () => {
    const folder = newFolder();
    const { captures, end } = await openIn(folder);
    const firstCapture = await record(captures);
    const startedCapture = await captures.start("during", LONG_S);
    await rm(folder, { recursive: true });
    assert.equal((await captures.byId(firstCapture.id))?.error, "file_lost");
    end();
    const after = await untilOver(captures, startedCapture!.id);
    assert.equal(after.state, "ready");
    assert.ok(readProfile(folder, after).nodes.length > 0);
  });
});

describe("the captures folder", () => {
  it("keeps the 10 newest captures and all unrelated files", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    const ids = Array.from({ length: 12 }, (_, at) => {
      const id = `019b0000-0000-7000-8000-0000000000${String(at).padStart(2, "0")}`;
      const started = `2026-01-05T12:00:${String(at).padStart(2, "0")}.000Z`;
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(captureNote({ id, started })));
      writeFileSync(join(folder, `${id}.cpuprofile`), "{}");
      return id;
    });
    const partialFile = `${ids[11]}.cpuprofile.${newId()}.tmp`;
    const orphan = `${newId()}.cpuprofile`;
    for (const name of [partialFile, orphan, "mine.json", "notes.txt"])
      writeFileSync(join(folder, name), "{}");
    const { captures } = await openIn(folder);
    const listedIds = (await captures.list()).map(({ id }) => id);
    assert.deepEqual(listedIds, ids.slice(2).toReversed());
    const newest = await record(captures);
    const retainedIds = [newest.id, ...ids.slice(3).toReversed()];
    assert.deepEqual(
      (await captures.list()).map(({ id }) => id),
      retainedIds,
    );
    const files = retainedIds.flatMap((id) => [`${id}.json`, `${id}.cpuprofile`]);
    assert.deepEqual(
      new Set(readdirSync(folder)),
      new Set([...files, partialFile, "mine.json", "notes.txt"].filter((name) => name !== orphan)),
    );
  });

  it("is listed after a restart, except for damaged files", async () => {
    const folder = newFolder();
    const { captures } = await openIn(folder);
    const good = await record(captures, "good");
    const truncated = await record(captures, "cut");
    await captures.close();
    writeFileSync(join(folder, `${truncated.id}.cpuprofile`), "{");
    const write = (text: string | Uint8Array, id = newId()) => {
      writeFileSync(join(folder, `${id}.json`), text);
      return id;
    };
    write("");
    write("{");
    write("null");
    write(new Uint8Array([0, 255, 254]));
    write("[".repeat(100_000));
    write(JSON.stringify(captureNote({ id: "../../etc/passwd" })));
    write(JSON.stringify({ ...captureNote({ id: "x" }), state: "odd" }));
    mkdirSync(join(folder, `${newId()}.json`));
    const interruptedId = newId();
    write(
      JSON.stringify(captureNote({ id: interruptedId, state: "recording", finished: null })),
      interruptedId,
    );
    const { captures: reopened, warnings } = await openIn(folder);
    assert.deepEqual(
      (await reopened.list()).map(({ id, state, error }) => [id, state, error]),
      [
        [truncated.id, "failed", "file_lost"],
        [good.id, "ready", null],
        [interruptedId, "failed", "interrupted"],
      ],
    );
    assert.deepEqual(warnings, []);
    assert.ok(existsSync(join(folder, `${good.id}.cpuprofile`)));
    assert.equal((await record(reopened)).state, "ready");
  });

  it("accepts only capture ids as file names", async () => {
    const profiles = openProfiles(newFolder());
    for (const id of ["..", "../x", "", "a/b", `${newId()}/..`]) {
      await assert.rejects(profiles.putProfile(id, "{}"), { code: "invalid" });
      await assert.rejects(profiles.putCapture(captureNote({ id })), { code: "invalid" });
    }
  });
});

function spin(): number {
  let sum = 0;
  for (let at = 0; at < 3_000_000; at += 1) sum += Math.sqrt(at);
  return sum;
}
