// Captures of this very thread, on a real disk.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Value } from "typebox/value";

import { newId } from "#base/clock/clock.ts";
import { CpuProfileSchema } from "#core/operator/clean-profile.ts";
import type { CpuProfile } from "#core/operator/clean-profile.ts";
import { CaptureSchema } from "#core/operator/profiling.ts";
import type { Capture } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";
import { openProfiles } from "#data/files/profiles.ts";
import type { Profiles } from "#data/files/profiles.ts";
import { StoreError } from "#data/store/errors.ts";
import { captureClock, PROJECT_ADDRESS } from "#testing/fixtures/test-profiling.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { ROOT } from "#testing/tidy/sources.ts";

import { openCaptures } from "./captures.ts";
import type { Captures } from "./captures.ts";

const ROOM = temporaryFolder();
const SHORT = FIXED.capture_min_s;
/** Longer than any test. */
const LONG = FIXED.capture_max_s;
let folders = 0;
const opened: Captures[] = [];
after(() => Promise.all(opened.map((captures) => captures.close())));

function newFolder(): string {
  folders += 1;
  return join(ROOM, `profiles-${folders}`);
}

async function open(folder: string, changes: Partial<Profiles> = {}) {
  const { clock, end } = captureClock();
  const warnings: object[] = [];
  const captures = await openCaptures({
    folder,
    profiles: { ...openProfiles(folder), ...changes },
    root: PROJECT_ADDRESS,
    clock,
    newId,
    log: { warn: (details) => void warnings.push(details) },
  });
  opened.push(captures);
  return { captures, warnings, end };
}

async function over(captures: Captures, id: string): Promise<Capture> {
  for (;;) {
    const capture = await captures.byId(id);
    assert.ok(capture !== null && Value.Check(CaptureSchema, capture));
    if (capture.state !== "recording") return capture;
    await pause(20);
  }
}

/** Runs a capture to its end. */
async function record(captures: Captures, label = "a label"): Promise<Capture> {
  const begun = await captures.start(label, SHORT);
  assert.ok(begun !== null);
  return over(captures, begun.id);
}

const profileAt = (folder: string, { id }: Capture): CpuProfile =>
  JSON.parse(readFileSync(join(folder, `${id}.cpuprofile`), "utf8")) as CpuProfile;

const noteOf = (more: Partial<Capture> & Pick<Capture, "id">): Capture => ({
  label: "an old one",
  started: "2026-01-05T12:00:00.000Z",
  endsAt: "2026-01-05T12:00:01.000Z",
  finished: "2026-01-05T12:00:01.000Z",
  state: "ready",
  size_bytes: 2,
  error: null,
  ...more,
});

describe("a capture", () => {
  it("is a profile of this thread, without paths of this machine or texts of this moment", async () => {
    const folder = newFolder();
    const { captures, end } = await open(folder);
    const secret = "hunter2";
    const slow = new RegExp(`${secret}(?:a+)+b`);
    const begun = await captures.start("../../etc/passwd", LONG);
    assert.equal(begun?.state, "recording");
    const { id } = begun;
    for (let at = 0; at < 20; at += 1) {
      spin();
      slow.test(secret + "a".repeat(20));
      await pause(1);
    }
    end();
    const capture = await over(captures, id);
    assert.deepEqual([capture.state, capture.error], ["ready", null]);
    assert.deepEqual(readdirSync(folder).toSorted(), [`${id}.cpuprofile`, `${id}.json`]);
    const text = readFileSync(join(folder, `${id}.cpuprofile`), "utf8");
    assert.equal(capture.size_bytes, Buffer.byteLength(text));
    const profile: unknown = JSON.parse(text);
    assert.ok(Value.Check(CpuProfileSchema, profile));
    const names = profile.nodes.map(({ callFrame }) => callFrame.functionName);
    assert.ok(names.includes("spin"), "the thread that started it is what is recorded");
    const own = profile.nodes.find(({ callFrame }) => callFrame.functionName === "spin");
    assert.equal(own?.callFrame.url, "src/live/profiling/captures.test.ts");
    for (const told of [secret, ROOT, "file:", "/home/", process.cwd()])
      assert.ok(!text.includes(told), told);
  });

  it("is one at a time, and the next may start once it is over", async () => {
    const { captures } = await open(newFolder());
    const [first, second] = await Promise.all([
      captures.start("one", SHORT),
      captures.start("two", SHORT),
    ]);
    assert.equal(second, null);
    assert.equal((await over(captures, first!.id)).state, "ready");
    assert.equal((await record(captures, "three")).state, "ready");
    assert.deepEqual(
      (await captures.list()).map(({ label }) => label),
      ["three", "one"],
    );
  });

  it("has failed when the server stops meanwhile, and a restart says so", async () => {
    const folder = newFolder();
    const { captures, warnings } = await open(folder);
    const begun = await captures.start("long", LONG);
    await captures.close();
    const { state, error, finished } = (await captures.byId(begun!.id))!;
    assert.deepEqual([state, error], ["failed", "server_stopped"]);
    assert.ok(finished !== null);
    assert.equal(await captures.start("late", SHORT), null);
    assert.deepEqual(readdirSync(folder), [`${begun!.id}.json`]);
    assert.deepEqual(warnings, []);
    const { captures: next } = await open(folder);
    assert.equal((await next.byId(begun!.id))?.error, "server_stopped");
  });

  it("has failed when the server stops as it begins", async () => {
    const { captures } = await open(newFolder());
    const beginning = captures.start("long", LONG);
    await captures.close();
    assert.equal((await beginning)?.error, "server_stopped");
  });

  for (const [code, error] of [
    ["full", "disk_full"],
    ["io", "disk_failed"],
  ] as const)
    it(`has failed as ${error} when its note cannot be written, and no more than that`, async () => {
      let isBroken = true;
      const folder = newFolder();
      const real = openProfiles(folder);
      const note: Profiles["note"] = async (capture) => {
        if (isBroken) throw new StoreError(code, "no");
        return real.note(capture);
      };
      const { captures, warnings } = await open(folder, { note });
      const begun = await captures.start("a label", LONG);
      assert.deepEqual([begun?.state, begun?.error], ["failed", error]);
      assert.deepEqual(warnings, [{ capture: begun!.id, error }]);
      isBroken = false;
      assert.equal((await record(captures)).state, "ready");
      assert.equal((await captures.list()).length, 2);
    });

  it("has failed when its folder is a file, and works once that is gone", async () => {
    const folder = newFolder();
    const { captures } = await open(folder);
    writeFileSync(folder, "");
    const begun = await captures.start("a label", SHORT);
    assert.deepEqual([begun?.state, begun?.error], ["failed", "disk_failed"]);
    assert.deepEqual((await captures.list()).length, 1);
    rmSync(folder);
    assert.equal((await record(captures)).state, "ready");
  });

  it("has failed when its profile cannot be put in its place, which leaves nothing half-written", async () => {
    const folder = newFolder();
    const { captures, warnings, end } = await open(folder);
    const { id } = (await captures.start("a label", LONG))!;
    mkdirSync(join(folder, `${id}.cpuprofile`));
    writeFileSync(join(folder, `${id}.cpuprofile`, "in the way"), "");
    end();
    const { state, error, size_bytes } = await over(captures, id);
    assert.deepEqual([state, error, size_bytes], ["failed", "disk_failed", null]);
    assert.deepEqual(warnings, [{ capture: id, error }]);
    assert.deepEqual(readdirSync(folder).toSorted(), [`${id}.cpuprofile`, `${id}.json`]);
    assert.equal((await record(captures)).state, "ready");
  });

  it("goes on when the folder is deleted under it", async () => {
    const folder = newFolder();
    const { captures, end } = await open(folder);
    const before = await record(captures);
    const begun = await captures.start("during", LONG);
    await rm(folder, { recursive: true });
    assert.equal((await captures.byId(before.id))?.error, "file_lost");
    end();
    const after = await over(captures, begun!.id);
    assert.equal(after.state, "ready");
    assert.ok(profileAt(folder, after).nodes.length > 0);
  });
});

describe("the folder of captures", () => {
  it("keeps the ten newest of all, and what is not its own", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    const ids = Array.from({ length: 12 }, (_, at) => {
      const id = `019b0000-0000-7000-8000-0000000000${String(at).padStart(2, "0")}`;
      const started = `2026-01-05T12:00:${String(at).padStart(2, "0")}.000Z`;
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(noteOf({ id, started })));
      writeFileSync(join(folder, `${id}.cpuprofile`), "{}");
      return id;
    });
    const half = `${ids[11]}.cpuprofile.${newId()}.tmp`;
    const orphan = `${newId()}.cpuprofile`;
    for (const name of [half, orphan, "mine.json", "notes.txt"])
      writeFileSync(join(folder, name), "{}");
    const { captures } = await open(folder);
    const listed = (await captures.list()).map(({ id }) => id);
    assert.deepEqual(listed, ids.slice(2).toReversed());
    const newest = await record(captures);
    const kept = [newest.id, ...ids.slice(3).toReversed()];
    assert.deepEqual(
      (await captures.list()).map(({ id }) => id),
      kept,
    );
    const files = kept.flatMap((id) => [`${id}.json`, `${id}.cpuprofile`]);
    assert.deepEqual(
      new Set(readdirSync(folder)),
      new Set([...files, half, "mine.json", "notes.txt"].filter((name) => name !== orphan)),
    );
  });

  it("is listed after a restart, damaged files aside", async () => {
    const folder = newFolder();
    const { captures } = await open(folder);
    const good = await record(captures, "good");
    const cut = await record(captures, "cut");
    await captures.close();
    writeFileSync(join(folder, `${cut.id}.cpuprofile`), "{");
    const write = (text: string | Uint8Array, id = newId()) => {
      writeFileSync(join(folder, `${id}.json`), text);
      return id;
    };
    write("");
    write("{");
    write("null");
    write(new Uint8Array([0, 255, 254]));
    write("[".repeat(100_000));
    write(JSON.stringify(noteOf({ id: "../../etc/passwd" })));
    write(JSON.stringify({ ...noteOf({ id: "x" }), state: "odd" }));
    mkdirSync(join(folder, `${newId()}.json`));
    const torn = newId();
    write(JSON.stringify(noteOf({ id: torn, state: "recording", finished: null })), torn);
    const { captures: next, warnings } = await open(folder);
    assert.deepEqual(
      (await next.list()).map(({ id, state, error }) => [id, state, error]),
      [
        [cut.id, "failed", "file_lost"],
        [good.id, "ready", null],
        [torn, "failed", "interrupted"],
      ],
    );
    assert.deepEqual(warnings, []);
    assert.ok(existsSync(join(folder, `${good.id}.cpuprofile`)));
    assert.equal((await record(next)).state, "ready");
  });

  it("names no file but by an id", async () => {
    const profiles = openProfiles(newFolder());
    for (const id of ["..", "../x", "", "a/b", `${newId()}/..`]) {
      await assert.rejects(profiles.putProfile(id, "{}"), { code: "invalid" });
      await assert.rejects(profiles.note(noteOf({ id })), { code: "invalid" });
    }
  });
});

function spin(): number {
  let sum = 0;
  for (let at = 0; at < 3_000_000; at += 1) sum += Math.sqrt(at);
  return sum;
}
