import assert from "node:assert/strict";
import { test } from "node:test";

import { openHealth } from "#live/health/health.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import type { Recorder } from "#live/recorder/recorder.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { measured } from "./measured.ts";

function world() {
  const notes: [name: string, duration: number][] = [];
  const clock = { at: 0, now: () => (clock.at += 5) };
  const refusal = new Error("no");
  const recorder: Recorder = {
    file: async (id) => `stats of ${id}`,
    remove: () => Promise.reject(refusal),
    close: async () => {},
  };
  const parts = {
    store: memoryStore(),
    matchmaker: localMatchmaker(),
    recorder,
    health: openHealth({ now: () => 0 }),
    others: 7,
  };
  const note = (name: string, duration: number) => void notes.push([name, duration]);
  return { parts, notes, refusal, timed: measured(parts, { note }, clock) };
}

test("each call is noted with the time it took, whether it went well or not", async () => {
  const { timed, notes, refusal } = world();
  assert.equal(await timed.recorder.file("a" as never, {}), "stats of a");
  await assert.rejects(timed.recorder.remove("a" as never), refusal);
  assert.equal(await timed.store.bots.byName("Rex"), null);
  assert.deepEqual(await timed.matchmaker.pair([]), []);
  timed.health.time("simulation", 7000);
  assert.deepEqual(notes, [
    ["recorder file", 5],
    ["recorder remove", 5],
    ["store bots.byName", 5],
    ["matchmaker pair", 5],
    ["match simulation", 7000],
  ]);
});

test("what is measured does what it did, and health still counts", async () => {
  const { timed, parts } = world();
  timed.health.time("simulation", 7000);
  assert.equal(parts.health.report().timings.simulation.count, 1);
  assert.equal(timed.others, 7);
  for (const part of ["store", "matchmaker", "recorder", "health"] as const)
    assert.deepEqual(Object.keys(timed[part]).toSorted(), Object.keys(parts[part]).toSorted());
  await timed.matchmaker.close();
  await timed.store.close();
});
