import assert from "node:assert/strict";
import { it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { limitsWith } from "#core/limits/limits.ts";
import { StoreError } from "#data/store/errors.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  addSamplePlayers,
  sampleMatch,
  sampleTime,
} from "#testing/store-contract/store-samples.ts";

import { openReplayTrimming } from "./replay-trimming.ts";

/**
 * Two bots with 30 matches. The 10 newest matches and the first match are retained. Each file is 9
 * bytes.
 */
async function trimmingFixture() {
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  for (let number = 0; number < 30; number += 1)
    await store.matches.save(sampleMatch(number, { ended: sampleTime(number) }));
  const removed: string[] = [];
  const disk = { isBroken: false };
  let [concurrent, maxConcurrent] = [0, 0];
  const remove = async (id: string) => {
    if (disk.isBroken) throw new StoreError("io", "disk unavailable");
    concurrent += 1;
    maxConcurrent = Math.max(maxConcurrent, concurrent);
    await Promise.resolve();
    removed.push(id);
    concurrent -= 1;
    return 9;
  };
  const trimming = openReplayTrimming({
    store,
    replays: { remove },
    settings: openSettings(limitsWith({ replays_per_bot: 10 })),
    ladders: { list: () => [PUBLIC_LADDER] },
    archives: { ladders: async () => new Set() },
  });
  return { trimming, removed, disk, most: () => maxConcurrent };
}

it("runs one trim at a time, so that each file is removed and counted only once", async () => {
  const { trimming, removed, most: maxConcurrent } = await trimmingFixture();
  const { signal } = new AbortController();
  const trims = await Promise.all([trimming.run(), trimming.run(signal), trimming.run()]);
  assert.deepEqual(
    trims.map((trim) => [trim.removed, trim.bytes]),
    [
      [19, 171],
      [0, 0],
      [0, 0],
    ],
  );
  assert.deepEqual([new Set(removed).size, removed.length, maxConcurrent()], [19, 19, 1]);
});

it("can trim again after a failure", async () => {
  const { trimming, disk } = await trimmingFixture();
  disk.isBroken = true;
  await assert.rejects(trimming.run(), { code: "io" });
  disk.isBroken = false;
  assert.ok(
    (await trimming.run()).removed < 19,
    "files dropped by an earlier process are swept at startup",
  );
});

it("forecasts a trim for any retention, even during a trim", async () => {
  const { trimming, removed } = await trimmingFixture();
  const retention = { replays_per_bot: 10, archive_replays: 1, embedded_replays: 1 };
  const forecasts = [
    trimming.forecast(retention),
    trimming.forecast({ ...retention, replays_per_bot: 25 }),
  ];
  assert.deepEqual(await Promise.all(forecasts), [19, 4]);
  assert.deepEqual(removed, []);
});

it("ends early when stopped", async () => {
  const { trimming } = await trimmingFixture();
  await trimming.stop();
  assert.deepEqual(await trimming.run(), { removed: 0, bytes: 0 });
});
