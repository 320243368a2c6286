import assert from "node:assert/strict";
import { test } from "node:test";

import { openRecorder } from "./recorder.ts";

/** Files everything except the match "poison", which ends the thread. */
const MORTAL = new URL(
  "data:text/javascript,import { parentPort } from 'node:worker_threads';" +
    "parentPort.on('message', ({ id, question: { matchId } }) => {" +
    "  if (matchId === 'poison') process.exit(1);" +
    "  parentPort.postMessage({ id, value: { stats: matchId } });" +
    "});",
);

const openMortal = () => openRecorder("unused", { remove: async () => {} }, () => 0, MORTAL);

test("a thread that died starts again and files what waited", async () => {
  const recorder = openMortal();
  const filed = await Promise.allSettled(
    ["a", "poison", "b"].map((matchId) => recorder.file(matchId, null)),
  );
  assert.deepEqual(
    filed.map((one) => (one.status === "fulfilled" ? one.value : null)),
    ["a", null, "b"],
  );
  assert.equal(await recorder.file("c", null), "c");
  await recorder.close();
});
