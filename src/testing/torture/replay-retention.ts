import assert from "node:assert/strict";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { limitsWith } from "#core/limits/limits.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { openReplayTrimming } from "#server/jobs/replay-trimming.ts";
import { accountApi, signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import { addTestBot, addMatch, addTestVersion } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleTime,
} from "#testing/store-contract/store-samples.ts";

export async function openReplayStore() {
  const store = memoryStore();
  await addSamplePlayers(store, 2);
  for (let number = 0; number < 10; number += 1) {
    const isCup = number < 5;
    await store.matches.save(
      sampleMatch(number, {
        ended: sampleTime(number),
        ...(isCup && { ladderId: "cup", season: null }),
      }),
    );
  }
  const settings = openSettings(limitsWith({ replays_per_bot: 4, archive_replays: 3 }));
  const [opensAt, closesAt] = [sampleTime(0), sampleTime(3600)];
  const cup = { ...PUBLIC_LADDER, id: "cup", opensAt, closesAt };
  const replays = { ...store.replays, highlighted: async () => [] };
  const trimming = openReplayTrimming({
    store: { ...store, replays },
    settings,
    replays: { remove: async () => 1 },
    ladders: { list: () => [PUBLIC_LADDER, cup] },
    archives: { ladders: async () => new Set() },
  });
  const countReplays = async () => (await store.replays.ids()).length;
  return { settings, trimming, kept: countReplays, store };
}

export async function checkStarLimit(): Promise<void> {
  const api = accountApi();
  const { token } = await signUpAccount(api, "ada");
  const bots = await Promise.all(["One", "Other"].map((name) => addTestBot(api, name)));
  const [firstVersion, secondVersion] = await Promise.all(
    bots.map((bot) => addTestVersion(api, bot, "v1")),
  );
  const ids = [
    await addMatch(api, [firstVersion!, secondVersion!]),
    await addMatch(api, [firstVersion!, secondVersion!]),
  ];
  const star = async (index: number) =>
    (await sendRequest(api, ["PUT", `/api/account/stars/${ids[index]!.id}`], { token })).told;
  api.liveSettings.change({ starred_replays: 1 });
  assert.deepEqual([await star(0), await star(1)], ["200", "409 star_limit"]);
  api.liveSettings.change({ starred_replays: 2 });
  assert.equal(await star(1), "200");
}

export async function checkEmbeddedLimit(): Promise<void> {
  const { settings, trimming, store } = await openReplayStore();
  settings.change({ replays_per_bot: 1, archive_replays: 1, embedded_replays: 2 });
  for (const number of [5, 6, 7])
    await store.replays.pinEmbedded(sampleId("match", number), sampleTime(number));
  const storedIds = async () => (await store.replays.ids()).toSorted();
  await trimming.run();
  assert.deepEqual(
    await storedIds(),
    [4, 6, 7, 9].map((number) => sampleId("match", number)),
  );
  settings.change({ replays_per_bot: 1, archive_replays: 1, embedded_replays: 1 });
  assert.equal((await storedIds()).length, 4);
  await trimming.run();
  assert.deepEqual(
    await storedIds(),
    [4, 7, 9].map((number) => sampleId("match", number)),
  );
}
