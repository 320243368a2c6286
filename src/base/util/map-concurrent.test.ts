import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { mapConcurrent } from "./map-concurrent.ts";

function controllableTasks() {
  const started: string[] = [];
  const finishers = new Map<string, PromiseWithResolvers<void>>();
  const task = (name: string) => {
    started.push(name);
    const end = Promise.withResolvers<void>();
    finishers.set(name, end);
    return end.promise;
  };
  const nextTick = () => new Promise((resolve) => void setImmediate(resolve));
  return {
    begun: started,
    job: task,
    end: async (name: string) => {
      finishers.get(name)?.resolve();
      await nextTick();
    },
    fail: async (name: string) => {
      finishers.get(name)?.reject(new Error(name));
      await nextTick();
    },
  };
}

describe("mapConcurrent", () => {
  it("starts the next task as soon as a running task ends", async () => {
    const { begun: started, job: task, end } = controllableTasks();
    const done = mapConcurrent(2, ["a", "b", "c", "d"], task);
    assert.deepEqual(started, ["a", "b"]);
    await end("b");
    await end("c");
    assert.deepEqual(started, ["a", "b", "c", "d"]);
    await end("a");
    await end("d");
    await done;
  });

  it("starts no more tasks after a failure, and waits for running tasks", async () => {
    const { begun: started, job: task, end, fail } = controllableTasks();
    let isOver = false;
    const work = mapConcurrent(2, ["a", "b", "c", "d"], task).finally(() => (isOver = true));
    const failingTask = assert.rejects(work, /^Error: a$/);
    await fail("a");
    assert.equal(isOver, false);
    await end("b");
    await failingTask;
    assert.deepEqual(started, ["a", "b"]);
  });

  it("does nothing without items", async () => {
    const { begun: started, job: task } = controllableTasks();
    await mapConcurrent(3, [], task);
    assert.deepEqual(started, []);
  });
});
