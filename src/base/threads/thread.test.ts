import assert from "node:assert/strict";
import { test } from "node:test";

import { openThread, ThreadEnded } from "./thread.ts";

/**
 * Answers with the question and how many came before; "die" ends the thread, "throw" is an error,
 * "spin" never ends.
 */
const COUNTING = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; let count = 0;" +
    "parentPort.on('message', ({ id, question }) => {" +
    "  if (question === 'die') process.exit(1);" +
    "  while (question === 'spin');" +
    "  if (question === 'throw') parentPort.postMessage({ id, error: 'thrown' });" +
    "  else parentPort.postMessage({ id, value: [question, count++] });" +
    "});",
);

const open = (restarts: boolean) => openThread(COUNTING, { name: "counting", restarts });

test("a thread answers each question", async () => {
  const thread = open(false);
  const answers = await Promise.all([thread.ask("a"), thread.ask("b")]);
  assert.deepEqual(answers, [
    ["a", 0],
    ["b", 1],
  ]);
  await assert.rejects(thread.ask("throw"), /thrown/);
  await thread.close();
});

test("a thread that dies rejects what was asked and, when it does not restart, all later", async () => {
  const thread = open(false);
  const asked = [thread.ask("die"), thread.ask("a")];
  for (const { status } of await Promise.allSettled(asked)) assert.equal(status, "rejected");
  await assert.rejects(thread.ask("b"), ThreadEnded);
  await thread.close();
});

test("a thread that restarts is replaced by the next question", async () => {
  const thread = open(true);
  await thread.ask("a");
  await assert.rejects(thread.ask("die"), ThreadEnded);
  assert.deepEqual(await thread.ask("b"), ["b", 0]);
  await thread.close();
});

test("a thread that takes too long is ended and replaced; one that answers in time is left", async ({
  mock,
}) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const thread = openThread(COUNTING, { name: "counting", restarts: true, limitMs: 1000 });
  const late = [thread.ask("spin"), thread.ask("behind it")];
  mock.timers.tick(1000);
  for (const each of late)
    await assert.rejects(each, (error: Error) => /within 1000 ms/.test(String(error.cause)));
  for (let count = 0; count < 3; count += 1) {
    const asked = thread.ask("a");
    mock.timers.tick(999);
    assert.deepEqual(await asked, ["a", count]);
  }
  await thread.close();
});

test("a question that cannot be sent is refused alone", async () => {
  const thread = open(false);
  await assert.rejects(
    thread.ask(() => {}),
    { name: "DataCloneError" },
  );
  assert.deepEqual(await thread.ask("a"), ["a", 0]);
  await thread.close();
});

test("a thread that is closed answers its last question and none after it", async () => {
  const thread = open(true);
  const closing = thread.close("last");
  await assert.rejects(thread.ask("b"), ThreadEnded);
  assert.deepEqual(await closing, ["last", 0]);
});

test("a dead thread is not started to be closed", async () => {
  const thread = open(true);
  await assert.rejects(thread.ask("die"), ThreadEnded);
  assert.equal(await thread.close("last"), null);
});

test("what a thread tells unasked is heard before its answer", async () => {
  const telling = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads';" +
      "parentPort.on('message', ({ id }) => {" +
      "  parentPort.postMessage({ note: 'under way' }); parentPort.postMessage({ id, value: 1 });" +
      "});",
  );
  const heard: unknown[] = [];
  const hear = (note: unknown) => heard.push(note);
  const thread = openThread(telling, { name: "telling", restarts: false, hear });
  heard.push(await thread.ask("a"));
  assert.deepEqual(heard, ["under way", 1]);
  await thread.close();
});
