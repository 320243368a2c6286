import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import { addSampleAccount } from "./store-account-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch, sampleTime } from "./store-samples.ts";

const matchIdOf = (number: number) => sampleId("match", number);
const BOTS = [0, 1].map((number) => sampleId("bot", number));

/** Adds matches 1 to 6 between the same two bots. Match 1 is the first match of the season. */
async function addMatches(store: Store): Promise<void> {
  await addSamplePlayers(store, 2);
  for (let number = 1; number <= 6; number += 1)
    await store.matches.save(sampleMatch(number, { ended: sampleTime(number) }));
}

const replayIds = async (store: Store) => (await store.replays.ids()).toSorted();

export const pinCases: StoreCase[] = [
  {
    name: "keeps the replay of a starred match until the star is removed",
    async run(store, reopen) {
      await addMatches(store);
      const [{ id: ada }, { id: ben }] = [
        await addSampleAccount(store, 1),
        await addSampleAccount(store, 2),
      ];
      const star = (id: string, number: number, limit = 2) =>
        store.replays.star(id, matchIdOf(number), sampleTime(number), limit);
      assert.equal(await star(ada, 2), "starred");
      assert.equal(await star(ada, 2), "starred");
      assert.equal(await star(ada, 3), "starred");
      assert.equal(await star(ada, 4), "star_limit");
      assert.equal(await star(ben, 3), "starred");
      assert.equal(await star(ben, 99), "no_replay");
      assert.equal(await star("nobody", 2), "no_replay");
      assert.deepEqual(await store.replays.listStarred(ada), [3, 2].map(matchIdOf));
      const released = await store.replays.release(BOTS, 1, 100);
      assert.deepEqual(released.removedIds.toSorted(), [1, 4, 5].map(matchIdOf));
      assert.equal(await star(ben, 4, 9), "no_replay");
      assert.deepEqual(await store.replays.unstar(ada, matchIdOf(3)), []);
      assert.deepEqual(await store.replays.unstar(ada, matchIdOf(3)), []);
      assert.deepEqual(await store.replays.unstar(ben, matchIdOf(3)), [matchIdOf(3)]);
      assert.deepEqual(await replayIds(store), [2, 6].map(matchIdOf));
      const reopened = await reopen();
      assert.equal(await reopened.replays.has(matchIdOf(2)), true);
      assert.deepEqual(await reopened.database.faults(), []);
    },
  },
  {
    name: "keeps the replays of highlights, and of the most recently embedded matches",
    async run(store) {
      await addMatches(store);
      const highlighted = await store.replays.highlighted();
      assert.ok(highlighted.includes(matchIdOf(1)) && highlighted.includes(matchIdOf(6)));
      for (const [index, number] of [2, 3, 4, 2].entries())
        await store.replays.pinEmbedded(matchIdOf(number), sampleTime(index));
      await store.replays.pinEmbedded(matchIdOf(99), sampleTime(9));
      await store.replays.renewPins([matchIdOf(1), matchIdOf(99)], 2);
      const ladderIds = ["public"];
      const keepers = await store.replays.listExcess({ botIds: BOTS, ladderIds, keep: 5 });
      assert.deepEqual(
        keepers,
        [1, 1].map((number) => ({ matchId: matchIdOf(number), keepers: 3 })),
      );
      const released = await store.replays.release(BOTS, 1, 100);
      assert.deepEqual(released.removedIds.toSorted(), [3, 5].map(matchIdOf));
      assert.deepEqual(await replayIds(store), [1, 2, 4, 6].map(matchIdOf));
      await store.replays.renewPins([matchIdOf(5)], 2);
      assert.deepEqual(await replayIds(store), [2, 4, 6].map(matchIdOf));
      const { removedIds } = await store.replays.renewPins([], 1);
      assert.deepEqual(removedIds, [matchIdOf(4)]);
    },
  },
];
