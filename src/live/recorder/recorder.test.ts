import assert from "node:assert/strict";
import { test } from "node:test";

import { openRecorder } from "./recorder.ts";

/** A worker that dies on the match "poison" and files all other matches. */
const CRASHING_WORKER = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads';" +
    "parentPort.on('message', ({ id, request: { matchId } }) => {" +
    "  if (matchId === 'poison') process.exit(1);" +
    "  parentPort.postMessage({ id, value: { stats: matchId } });" +
    "});",
);

const openCrashingRecorder = () =>
  openRecorder("unused", { remove: async () => {} }, () => 0, CRASHING_WORKER);

test("restarts a thread that died and files pending replays", async () => {
  const recorder = openCrashingRecorder();
  const results = await Promise.allSettled(
    ["a", "poison", "b"].map((matchId) => recorder.file(matchId, null)),
  );
  assert.deepEqual(
    results.map((result) => (result.status === "fulfilled" ? result.value : null)),
    ["a", null, "b"],
  );
  assert.equal(await recorder.file("c", null), "c");
  await recorder.close();
});
