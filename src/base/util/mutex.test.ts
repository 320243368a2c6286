import assert from "node:assert/strict";
import { it } from "node:test";

import { createMutex } from "./mutex.ts";

it("runs each task after the previous one, even if that one failed", async () => {
  const runExclusive = createMutex();
  const outcomes: string[] = [];
  const task = (name: string, failingTask = false) =>
    runExclusive(async () => {
      outcomes.push(`${name} begins`);
      await Promise.resolve();
      outcomes.push(`${name} ends`);
      if (failingTask) throw new Error(name);
      return name;
    });
  const [first, second, third] = [task("first"), task("second", true), task("third")];
  await assert.rejects(second, /second/);
  assert.deepEqual([await first, await third], ["first", "third"]);
  const steps = ["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]);
  assert.deepEqual(outcomes, steps);
});
