import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { eachAtMost } from "./each-at-most.ts";

/** Jobs that the test ends one by one. */
function heldJobs() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const job = (name: string) => {
    begun.push(name);
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return end.promise;
  };
  const turn = () => new Promise((resolve) => void setImmediate(resolve));
  return {
    begun,
    job,
    end: async (name: string) => {
      ends.get(name)?.resolve();
      await turn();
    },
    fail: async (name: string) => {
      ends.get(name)?.reject(new Error(name));
      await turn();
    },
  };
}

describe("work on at most some things at a time", () => {
  it("begins the next as soon as one has ended, whichever it is", async () => {
    const { begun, job, end } = heldJobs();
    const done = eachAtMost(2, ["a", "b", "c", "d"], job);
    assert.deepEqual(begun, ["a", "b"]);
    await end("b");
    await end("c");
    assert.deepEqual(begun, ["a", "b", "c", "d"]);
    await end("a");
    await end("d");
    await done;
  });

  it("begins nothing more after a failure, and waits for what has begun", async () => {
    const { begun, job, end, fail } = heldJobs();
    let isOver = false;
    const work = eachAtMost(2, ["a", "b", "c", "d"], job).finally(() => (isOver = true));
    const failing = assert.rejects(work, /^Error: a$/);
    await fail("a");
    assert.equal(isOver, false);
    await end("b");
    await failing;
    assert.deepEqual(begun, ["a", "b"]);
  });

  it("has nothing to do with nothing", async () => {
    const { begun, job } = heldJobs();
    await eachAtMost(3, [], job);
    assert.deepEqual(begun, []);
  });
});
