import assert from "node:assert/strict";
import { test } from "node:test";

import { runInChunks } from "./chunked-work.ts";

test("runs long work in chunks and yields to other tasks in between", async () => {
  let clock = 0;
  const done: string[] = [];
  function* work(): Generator<undefined, string, undefined> {
    for (let part = 0; part < 6; part += 1) {
      clock += 3;
      done.push(`part ${part}`);
      yield;
    }
    return "whole";
  }
  const result = runInChunks(work(), () => clock);
  done.push("begun");
  assert.equal(await result, "whole");
  assert.deepEqual(done, ["part 0", "part 1", "part 2", "begun", "part 3", "part 4", "part 5"]);
});
