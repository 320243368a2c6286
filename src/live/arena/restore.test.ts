import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  sampleBot,
  sampleMatch,
  sampleTime,
  sampleVersion,
} from "#testing/store-contract/store-samples.ts";

import { startKey } from "./arena-state.ts";
import { restoreStarts } from "./restore.ts";

test("restores a house bot's last start on the ladder it played on", async () => {
  const store = memoryStore();
  const [house, player] = [sampleBot(0, { house: true }), sampleBot(1)];
  for (const [number, bot] of [house, player].entries()) {
    await store.bots.add(bot, `hash-${number}`, null);
    await store.versions.add(sampleVersion(number), null);
  }
  await store.matches.save(sampleMatch(1, { ladderId: "event", season: null }));
  const clock = fakeClock();
  clock.setWall(sampleTime(60));
  const { lastStart } = await restoreStarts({ store, clock });
  const expectedKeys = [startKey(house, "event"), startKey(player, "public")];
  assert.deepEqual([...lastStart.keys()].toSorted(), expectedKeys.toSorted());
});
