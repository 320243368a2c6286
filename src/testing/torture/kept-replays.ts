// Checks of the settings about kept replays, and a store for them.

import assert from "node:assert/strict";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { limitsWith } from "#core/words/limits.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { openTrimming } from "#server/jobs/trimming.ts";
import { accountApi, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { addBot, addMatch, addVersion } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleTime,
} from "#testing/store-cases/store-samples.ts";

/** Ten matches of two bots, and a ladder of one evening. */
export async function openStock() {
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
  const cup = { ...PUBLIC, id: "cup", opensAt, closesAt };
  const replays = { ...store.replays, highlighted: async () => [] };
  const trimming = openTrimming({
    store: { ...store, replays },
    settings,
    replays: { remove: async () => 1 },
    ladders: { all: () => [PUBLIC, cup] },
    archives: { ladders: async () => new Set() },
  });
  const kept = async () => (await store.replays.ids()).length;
  return { settings, trimming, kept, store };
}

export async function checkStars(): Promise<void> {
  const api = accountApi();
  const { token } = await addPerson(api, "ada");
  const bots = await Promise.all(["One", "Other"].map((name) => addBot(api, name)));
  const [one, other] = await Promise.all(bots.map((bot) => addVersion(api, bot, "v1")));
  const ids = [await addMatch(api, [one!, other!]), await addMatch(api, [one!, other!])];
  const star = async (at: number) =>
    (await ask(api, ["PUT", `/api/account/stars/${ids[at]!.id}`], { token })).told;
  api.live.change({ starred_replays: 1 });
  assert.deepEqual([await star(0), await star(1)], ["200", "409 star_limit"]);
  api.live.change({ starred_replays: 2 });
  assert.equal(await star(1), "200");
}

export async function checkEmbeds(): Promise<void> {
  const { settings, trimming, store } = await openStock();
  settings.change({ replays_per_bot: 1, archive_replays: 1, embedded_replays: 2 });
  for (const number of [5, 6, 7])
    await store.replays.pinEmbedded(sampleId("match", number), sampleTime(number));
  const kept = async () => (await store.replays.ids()).toSorted();
  await trimming.run();
  assert.deepEqual(
    await kept(),
    [4, 6, 7, 9].map((number) => sampleId("match", number)),
  );
  settings.change({ replays_per_bot: 1, archive_replays: 1, embedded_replays: 1 });
  assert.equal((await kept()).length, 4);
  await trimming.run();
  assert.deepEqual(
    await kept(),
    [4, 7, 9].map((number) => sampleId("match", number)),
  );
}
