import assert from "node:assert/strict";
import { it } from "node:test";

import { oneAtATime } from "./one-at-a-time.ts";

it("runs each job after the one before, also if that failed", async () => {
  const inTurn = oneAtATime();
  const told: string[] = [];
  const job = (name: string, fails = false) =>
    inTurn(async () => {
      told.push(`${name} begins`);
      await Promise.resolve();
      told.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const [first, second, third] = [job("first"), job("second", true), job("third")];
  await assert.rejects(second, /second/);
  assert.deepEqual([await first, await third], ["first", "third"]);
  const steps = ["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]);
  assert.deepEqual(told, steps);
});
