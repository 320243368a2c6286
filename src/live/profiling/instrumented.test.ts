import assert from "node:assert/strict";
import { test } from "node:test";

import { openHealth } from "#live/health/health.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Recorder } from "#live/recorder/recorder.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { instrumented } from "./instrumented.ts";

function world() {
  const recordings: [name: string, duration: number][] = [];
  const clock = { at: 0, now: () => (clock.at += 5) };
  const removeError = new Error("no");
  const recorder: Recorder = {
    file: async (id) => `stats of ${id}`,
    remove: () => Promise.reject(removeError),
    close: async () => {},
  };
  const parts = {
    store: memoryStore(),
    matchmaker: localMatchmaker(),
    recorder,
    health: openHealth({ now: () => 0 }),
    others: 7,
  };
  const record = (name: string, duration: number) => void recordings.push([name, duration]);
  return {
    parts,
    notes: recordings,
    refusal: removeError,
    timed: instrumented(parts, { record }, clock),
  };
}

test("records the duration of each call, successful or not", async () => {
  const { timed: instrumentedParts, notes: recordings, refusal: removeError } = world();
  assert.equal(await instrumentedParts.recorder.file("a" as never, {}), "stats of a");
  await assert.rejects(instrumentedParts.recorder.remove("a" as never), removeError);
  assert.equal(await instrumentedParts.store.bots.byName("Rex"), null);
  assert.deepEqual(await instrumentedParts.matchmaker.pair([]), []);
  instrumentedParts.health.recordDuration("simulation", 7000);
  assert.deepEqual(recordings, [
    ["recorder file", 5],
    ["recorder remove", 5],
    ["store bots.byName", 5],
    ["matchmaker pair", 5],
    ["match simulation", 7000],
  ]);
});

test("keeps the behavior of instrumented parts, including health", async () => {
  const { timed: instrumentedParts, parts } = world();
  instrumentedParts.health.recordDuration("simulation", 7000);
  assert.equal(parts.health.report().timings.simulation.count, 1);
  assert.equal(instrumentedParts.others, 7);
  for (const part of ["store", "matchmaker", "recorder", "health"] as const)
    assert.deepEqual(
      Object.keys(instrumentedParts[part]).toSorted(),
      Object.keys(parts[part]).toSorted(),
    );
  await instrumentedParts.matchmaker.close();
  await instrumentedParts.store.close();
});
