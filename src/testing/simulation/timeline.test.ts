import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND_US } from "#base/util/time.ts";

import { createTimeline } from "./timeline.ts";

const START = new Date("2026-01-30T00:00:00.000Z");

test("settles everything that a call has started before it runs the next call", async () => {
  const timeline = createTimeline(START);
  const done: string[] = [];
  const follow = async (name: string, promises: number) => {
    for (let remaining = promises; remaining > 0; remaining -= 1) await Promise.resolve();
    process.nextTick(() => void Promise.resolve().then(() => done.push(name)));
  };
  const names = Array.from({ length: 300 }, (_, place) => `call ${place}`);
  for (const [place, name] of names.entries())
    timeline.after(place, () => void follow(name, 1 + ((place * 37) % 200)));
  await timeline.run(SECOND_US, () => false);
  assert.deepEqual(done, names);
});

test("runs quiet and normal calls in the order in which they are due, then in scheduling order", async () => {
  const timeline = createTimeline(START);
  const calledNames: string[] = [];
  for (const [ms, name, isQuiet] of [
    [20, "third", false],
    [10, "first", true],
    [20, "fourth", true],
    [10, "second", false],
    [30, "too late", true],
  ] as const)
    timeline.after(ms, () => calledNames.push(name), isQuiet);
  timeline.after(15, () => calledNames.push("cancelled"), true)();
  await timeline.run(25_000, () => false);
  assert.deepEqual(calledNames, ["first", "second", "third", "fourth"]);
  assert.deepEqual([timeline.now(), timeline.steps()], [25_000, 4]);
});

test("stops a run when told to, and rethrows errors from calls", async () => {
  const timeline = createTimeline(START);
  let calls = 0;
  for (const ms of [1, 2, 3]) timeline.after(ms, () => void (calls += 1));
  await timeline.run(SECOND_US, () => calls === 2);
  assert.deepEqual([calls, timeline.now()], [2, 2000]);
  timeline.after(5, () => assert.fail("broken"));
  await assert.rejects(
    timeline.run(SECOND_US, () => false),
    /broken/,
  );
});
