import assert from "node:assert/strict";
import { test } from "node:test";

import { openThread, ThreadEndedError } from "./thread.ts";

/**
 * Responds with the request and the number of earlier requests. "die" ends the thread, "throw"
 * fails the request, and "spin" never returns.
 */
const COUNTING = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads'; let count = 0;" +
    "parentPort.on('message', ({ id, request }) => {" +
    "  if (request === 'die') process.exit(1);" +
    "  while (request === 'spin');" +
    "  if (request === 'throw') parentPort.postMessage({ id, error: 'thrown' });" +
    "  else parentPort.postMessage({ id, value: [request, count++] });" +
    "});",
);

const open = (restarts: boolean) => openThread(COUNTING, { name: "counting", restarts });

test("a thread responds to each request", async () => {
  const thread = open(false);
  const responses = await Promise.all([thread.ask("a"), thread.ask("b")]);
  assert.deepEqual(responses, [
    ["a", 0],
    ["b", 1],
  ]);
  await assert.rejects(thread.ask("throw"), /thrown/);
  await thread.close();
});

test("a dead thread rejects pending requests, and later requests unless it restarts", async () => {
  const thread = open(false);
  const requestNumber = [thread.ask("die"), thread.ask("a")];
  for (const { status } of await Promise.allSettled(requestNumber))
    assert.equal(status, "rejected");
  await assert.rejects(thread.ask("b"), ThreadEndedError);
  await thread.close();
});

test("a restarting thread is replaced on the next request", async () => {
  const thread = open(true);
  await thread.ask("a");
  await assert.rejects(thread.ask("die"), ThreadEndedError);
  assert.deepEqual(await thread.ask("b"), ["b", 0]);
  await thread.close();
});

test("a slow thread is terminated and replaced, but not one that responds in time", async ({
  mock,
}) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const thread = openThread(COUNTING, { name: "counting", restarts: true, limitMs: 1000 });
  const lateAnswer = [thread.ask("spin"), thread.ask("behind it")];
  mock.timers.tick(1000);
  for (const eachAnswer of lateAnswer)
    await assert.rejects(eachAnswer, (endError: Error) =>
      /within 1000 ms/.test(String(endError.cause)),
    );
  for (let count = 0; count < 3; count += 1) {
    const requestNumber = thread.ask("a");
    mock.timers.tick(999);
    assert.deepEqual(await requestNumber, ["a", count]);
  }
  await thread.close();
});

test("a request that can't be sent rejects without affecting other requests", async () => {
  const thread = open(false);
  await assert.rejects(
    thread.ask(() => {}),
    { name: "DataCloneError" },
  );
  assert.deepEqual(await thread.ask("a"), ["a", 0]);
  await thread.close();
});

test("a closed thread responds to its final request and rejects later ones", async () => {
  const thread = open(true);
  const closing = thread.close("last");
  await assert.rejects(thread.ask("b"), ThreadEndedError);
  assert.deepEqual(await closing, ["last", 0]);
});

test("closing a dead thread doesn't restart it", async () => {
  const thread = open(true);
  await assert.rejects(thread.ask("die"), ThreadEndedError);
  assert.equal(await thread.close("last"), null);
});

test("a notification arrives before the response", async () => {
  const sendingThread = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads';" +
      "parentPort.on('message', ({ id }) => {" +
      "  parentPort.postMessage({ notification: 'under way' }); parentPort.postMessage({ id, value: 1 });" +
      "});",
  );
  const receivedMessages: unknown[] = [];
  const handleMessage = (notification: unknown) => receivedMessages.push(notification);
  const thread = openThread(sendingThread, { name: "telling", restarts: false, handleMessage });
  receivedMessages.push(await thread.ask("a"));
  assert.deepEqual(receivedMessages, ["under way", 1]);
  await thread.close();
});
