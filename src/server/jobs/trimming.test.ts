import assert from "node:assert/strict";
import { it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { limitsWith } from "#core/words/limits.ts";
import { StoreError } from "#data/store/errors.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { addSamplePlayers, sampleMatch, sampleTime } from "#testing/store-cases/store-samples.ts";

import { openTrimming } from "./trimming.ts";

/** Thirty matches of two bots that keep ten and the first one; each file has nine bytes. */
async function stock() {
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  for (let number = 0; number < 30; number += 1)
    await store.matches.save(sampleMatch(number, { ended: sampleTime(number) }));
  const removed: string[] = [];
  const disk = { isBroken: false };
  let [now, most] = [0, 0];
  const remove = async (id: string) => {
    if (disk.isBroken) throw new StoreError("io", "the disk is gone");
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    removed.push(id);
    now -= 1;
    return 9;
  };
  const trimming = openTrimming({
    store,
    replays: { remove },
    settings: openSettings(limitsWith({ replays_per_bot: 10 })),
    ladders: { all: () => [PUBLIC] },
    archives: { ladders: async () => new Set() },
  });
  return { trimming, removed, disk, most: () => most };
}

it("trims one at a time, so that each file is removed and counted once", async () => {
  const { trimming, removed, most } = await stock();
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
  assert.deepEqual([new Set(removed).size, removed.length, most()], [19, 19, 1]);
});

it("trims again after a trim that failed", async () => {
  const { trimming, disk } = await stock();
  disk.isBroken = true;
  await assert.rejects(trimming.run(), { code: "io" });
  disk.isBroken = false;
  assert.ok((await trimming.run()).removed < 19, "what was let go of before is swept at a start");
});

it("tells what a trim would remove, also beside one, and with another number", async () => {
  const { trimming, removed } = await stock();
  const keep = { replays_per_bot: 10, archive_replays: 1, embedded_replays: 1 };
  const forecasts = [trimming.forecast(keep), trimming.forecast({ ...keep, replays_per_bot: 25 })];
  assert.deepEqual(await Promise.all(forecasts), [19, 4]);
  assert.deepEqual(removed, []);
});

it("ends early once it is stopped", async () => {
  const { trimming } = await stock();
  await trimming.stop();
  assert.deepEqual(await trimming.run(), { removed: 0, bytes: 0 });
});
