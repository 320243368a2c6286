// Store contract: pinned replays.

import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import { join } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch, sampleTime } from "./store-samples.ts";

const matchId = (number: number) => sampleId("match", number);
const BOTS = [0, 1].map((number) => sampleId("bot", number));

/** Matches 1 to 6 of the same two bots; match 1 is the opener. */
async function addMatches(store: Store): Promise<void> {
  await addSamplePlayers(store, 2);
  for (let number = 1; number <= 6; number += 1)
    await store.matches.save(sampleMatch(number, { ended: sampleTime(number) }));
}

const idsOf = async (store: Store) => (await store.replays.ids()).toSorted();

export const pinCases: Case[] = [
  {
    name: "keeps the replay of a starred match until the star is removed",
    async run(store, reopen) {
      await addMatches(store);
      const [{ id: ada }, { id: ben }] = [await join(store, 1), await join(store, 2)];
      const star = (id: string, number: number, most = 2) =>
        store.replays.star(id, matchId(number), sampleTime(number), most);
      assert.equal(await star(ada, 2), "starred");
      assert.equal(await star(ada, 2), "starred");
      assert.equal(await star(ada, 3), "starred");
      assert.equal(await star(ada, 4), "star_limit");
      assert.equal(await star(ben, 3), "starred");
      assert.equal(await star(ben, 99), "no_replay");
      assert.equal(await star("nobody", 2), "no_replay");
      assert.deepEqual(await store.replays.starred(ada), [3, 2].map(matchId));
      const released = await store.replays.release(BOTS, 1, 100);
      assert.deepEqual(released.gone.toSorted(), [1, 4, 5].map(matchId));
      assert.equal(await star(ben, 4, 9), "no_replay");
      assert.deepEqual(await store.replays.unstar(ada, matchId(3)), []);
      assert.deepEqual(await store.replays.unstar(ada, matchId(3)), []);
      assert.deepEqual(await store.replays.unstar(ben, matchId(3)), [matchId(3)]);
      assert.deepEqual(await idsOf(store), [2, 6].map(matchId));
      const opened = await reopen();
      assert.equal(await opened.replays.has(matchId(2)), true);
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
  {
    name: "keeps the replays of highlights, and of the matches that were embedded last",
    async run(store) {
      await addMatches(store);
      const highlighted = await store.replays.highlighted();
      assert.ok(highlighted.includes(matchId(1)) && highlighted.includes(matchId(6)));
      for (const [at, number] of [2, 3, 4, 2].entries())
        await store.replays.pinEmbedded(matchId(number), sampleTime(at));
      await store.replays.pinEmbedded(matchId(99), sampleTime(9));
      await store.replays.renewPins([matchId(1), matchId(99)], 2);
      const ladderIds = ["public"];
      const keepers = await store.replays.beyond({ botIds: BOTS, ladderIds, keep: 5 });
      assert.deepEqual(
        keepers,
        [1, 1].map((number) => ({ matchId: matchId(number), keepers: 3 })),
      );
      const released = await store.replays.release(BOTS, 1, 100);
      assert.deepEqual(released.gone.toSorted(), [3, 5].map(matchId));
      assert.deepEqual(await idsOf(store), [1, 2, 4, 6].map(matchId));
      await store.replays.renewPins([matchId(5)], 2);
      assert.deepEqual(await idsOf(store), [2, 4, 6].map(matchId));
      const { gone } = await store.replays.renewPins([], 1);
      assert.deepEqual(gone, [matchId(4)]);
    },
  },
];
