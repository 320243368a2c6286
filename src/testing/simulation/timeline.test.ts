import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND } from "#base/units/time.ts";

import { openTimeline } from "./timeline.ts";

const START = new Date("2026-01-30T00:00:00.000Z");

test("everything that a call leaves pending is done before the next one", async () => {
  const timeline = openTimeline(START);
  const done: string[] = [];
  const follow = async (name: string, promises: number) => {
    for (let left = promises; left > 0; left -= 1) await Promise.resolve();
    process.nextTick(() => void Promise.resolve().then(() => done.push(name)));
  };
  // More calls than pauses fit into a turn of the event loop.
  const names = Array.from({ length: 300 }, (_, place) => `call ${place}`);
  for (const [place, name] of names.entries())
    timeline.after(place, () => void follow(name, 1 + ((place * 37) % 200)));
  await timeline.run(SECOND, () => false);
  assert.deepEqual(done, names);
});

test("quiet calls and others come in the order in which they are due, and were set", async () => {
  const timeline = openTimeline(START);
  const called: string[] = [];
  for (const [ms, name, isQuiet] of [
    [20, "third", false],
    [10, "first", true],
    [20, "fourth", true],
    [10, "second", false],
    [30, "too late", true],
  ] as const)
    timeline.after(ms, () => called.push(name), isQuiet);
  timeline.after(15, () => called.push("cancelled"), true)();
  await timeline.run(25_000, () => false);
  assert.deepEqual(called, ["first", "second", "third", "fourth"]);
  assert.deepEqual([timeline.now(), timeline.steps()], [25_000, 4]);
});

test("a run ends when it is told to, and with what a call throws", async () => {
  const timeline = openTimeline(START);
  let calls = 0;
  for (const ms of [1, 2, 3]) timeline.after(ms, () => void (calls += 1));
  await timeline.run(SECOND, () => calls === 2);
  assert.deepEqual([calls, timeline.now()], [2, 2000]);
  timeline.after(5, () => assert.fail("broken"));
  await assert.rejects(
    timeline.run(SECOND, () => false),
    /broken/,
  );
});
