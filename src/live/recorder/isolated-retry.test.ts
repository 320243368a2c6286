import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setImmediate as turnOfLoop } from "node:timers/promises";

import { ThreadEndedError } from "#base/threads/thread.ts";
import { SECOND_US } from "#base/util/time.ts";

import { withIsolatedRetry } from "./isolated-retry.ts";

/** A thread that handles requests in batches and dies on each request that `isFatal` matches. */
function crashingThread(isFatal: (request: string) => boolean) {
  const clock = { now: 0 };
  const batches: string[][] = [];
  let pendingQuestions: { request: string; resolve: () => void; reject: (error: Error) => void }[] =
    [];

  function answerBatch(): void {
    const batch = pendingQuestions;
    pendingQuestions = [];
    batches.push(batch.map(({ request }) => request));
    const threadError = batch.some(({ request }) => isFatal(request))
      ? new ThreadEndedError("dead")
      : null;
    for (const { resolve, reject } of batch)
      if (threadError === null) resolve();
      else reject(threadError);
  }

  const sendRequest = withIsolatedRetry(
    (request: string) =>
      new Promise<string>((resolve, reject) => {
        if (pendingQuestions.length === 0) setImmediate(answerBatch);
        pendingQuestions.push({ request, resolve: () => resolve(`filed ${request}`), reject });
      }),
    () => clock.now,
  );
  const sendAll = async (...questions: string[]) => {
    const results = await Promise.allSettled(questions.map((request) => sendRequest(request)));
    return results.map((result) =>
      result.status === "fulfilled" ? result.value : codeOf(result.reason),
    );
  };
  return { clock, batches, ask: sendRequest, askAll: sendAll };
}

const codeOf = (error: unknown): string =>
  error instanceof ThreadEndedError ? "ended" : (error as { code: string }).code;

const isPoison = (request: string): boolean => request.startsWith("poison");

suite("requests pending when a thread dies", () => {
  test("are retried one at a time, and a request that kills the thread again is rejected", async () => {
    const { askAll: sendAll, batches } = crashingThread(isPoison);
    assert.deepEqual(await sendAll("a", "poison", "b"), ["filed a", "ended", "filed b"]);
    assert.deepEqual(batches, [["a", "poison", "b"], ["a"], ["poison"], ["b"]]);
  });

  test("are retried one at a time even if more requests arrive", async () => {
    const { ask: sendRequest, askAll: sendAll, batches } = crashingThread(isPoison);
    const firstBatch = sendAll("poison", "a");
    while (batches.length === 0) await turnOfLoop();
    const laterRequests = Promise.all([sendRequest("b"), sendRequest("c")]);
    await Promise.all([firstBatch, laterRequests]);
    assert.deepEqual(batches, [["poison", "a"], ["poison"], ["a"], ["b", "c"]]);
  });

  test("succeed on retry if they didn't cause the death", async () => {
    const crashOnce = [true];
    const { askAll: sendAll } = crashingThread(() => crashOnce.pop() ?? false);
    assert.deepEqual(await sendAll("a", "b"), ["filed a", "filed b"]);
  });
});

suite("a thread that repeatedly dies", () => {
  test("on three records within a minute reports a machine fault", async () => {
    const { askAll: sendAll } = crashingThread(isPoison);
    assert.deepEqual(await sendAll("poison 1"), ["ended"]);
    assert.deepEqual(await sendAll("poison 2"), ["ended"]);
    assert.deepEqual(await sendAll("poison 3"), ["io"]);
  });

  test("reports a machine fault even if the three records arrived together", async () => {
    const { askAll: sendAll } = crashingThread(isPoison);
    const results = await sendAll("poison 1", "poison 2", "poison 3");
    assert.deepEqual(results, ["ended", "ended", "io"]);
  });

  test("on only two records reports no machine fault", async () => {
    const { askAll: sendAll } = crashingThread(isPoison);
    assert.deepEqual(await sendAll("poison 1", "a", "poison 2"), ["ended", "filed a", "ended"]);
  });

  test("on three records more than a minute apart reports no machine fault", async () => {
    const { askAll: sendAll, clock } = crashingThread(isPoison);
    for (let record = 0; record < 5; record += 1) {
      assert.deepEqual(await sendAll(`poison ${record}`), ["ended"]);
      clock.now += 31 * SECOND_US;
    }
  });
});
