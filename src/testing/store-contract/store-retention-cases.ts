import assert from "node:assert/strict";

import type { ReleasedReplays } from "#data/store/replay.ts";
import type { Store } from "#data/store/store.ts";

import { sampleMatchId } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const VERSIONS = [0, 1].map((number) => sampleId("version", number));
const botIdOf = (number: number) => sampleId("bot", number);

const TIMING_STATS = {
  replies: 4,
  mean_ms: 1.5,
  p50_ms: 2,
  p95_ms: 3,
  max_ms: 3.25,
  near_limit: 1,
  tick_ms: 1000,
  budget_ms: 300_000,
  budget_ms_left: 299_994.75,
  histogram: [3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};
const FIRST_STATS = {
  server_idles: { timeout: 2, schema: 1 },
  refused_turns: 3,
  refused_turns_by_reason: { blocked: 2, not_ready: 2 },
  disconnects: 1,
  disqualified: true,
  timing: TIMING_STATS,
};
const SECOND_STATS = {
  server_idles: {},
  refused_turns: 0,
  refused_turns_by_reason: {},
  timing: null,
};

function playedMatch(number: number, ticks: number, changes: MatchChanges = {}) {
  const stats = JSON.stringify({ stats_version: 2, ticks, fighters: [FIRST_STATS, SECOND_STATS] });
  return sampleMatch(number, { stats, ...changes });
}

async function readTurns(store: Store, window: number): Promise<unknown[]> {
  const found = await store.stats.turns(VERSIONS, window);
  return found.map(({ versionId, matches, turns }) => [
    VERSIONS.indexOf(versionId),
    matches,
    turns,
  ]);
}

/**
 * Adds six matches between bot 0 and, alternately, bots 1 and 2. They end in the order of their
 * numbers.
 */
async function addSixMatches(store: Store): Promise<void> {
  await addSamplePlayers(store, 3);
  for (const number of [4, 1, 6, 2, 5, 3]) {
    const opponentSeat = sampleSeat(1 + (number % 2), { fighter: "B" });
    const isOnOtherLadder = number === 3;
    const position = isOnOtherLadder ? { ladderId: "event", season: null } : {};
    await store.matches.save(
      sampleMatch(number, { seats: [sampleSeat(0), opponentSeat], ...position }),
    );
  }
}

const replayIds = async (store: Store) => (await store.replays.ids()).toSorted();

const sortedRelease = ({ removedIds, isDone }: ReleasedReplays) => ({
  gone: removedIds.toSorted(),
  isDone,
});

const HELD_LADDER = { ladderId: "public" };

export const maintenanceCases: StoreCase[] = [
  {
    name: "sums up how versions used their turns",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(playedMatch(1, 40));
      await store.matches.save(playedMatch(2, 60, { ladderId: "event", season: null }));
      const ids = [...VERSIONS, sampleId("version", 2), "nobody"];
      const [first, second, ...moreMatches] = await store.stats.turns(ids, 500);
      assert.deepEqual(moreMatches, [], "without matches");
      assert.deepEqual(first, {
        versionId: VERSIONS[0],
        matches: 2,
        turns: 100,
        idles: { timeout: 4, schema: 2 },
        refusedTurns: 6,
        refused: { blocked: 4, not_ready: 4 },
        disconnects: 2,
        disqualifications: 2,
        replies: {
          replies: 8,
          total: 12_000,
          max: 3250,
          nearLimit: 2,
          budgetLeftMs: 299_994.75,
          histograms: { 1000: [6, 0, 2] },
        },
      });
      assert.deepEqual([second!.matches, second!.turns, second!.replies], [2, 100, null]);
    },
  },
  {
    name: "reads the newest matches of a version that have current statistics",
    async run(store) {
      await addSamplePlayers(store, 2);
      const older = { stats: JSON.stringify({ stats_version: 1, ticks: 9, fighters: [{}, {}] }) };
      for (const number of [3, 1, 5, 2])
        await store.matches.save(playedMatch(number, 10 ** number));
      await store.matches.save(playedMatch(6, 7, { ended: sampleTime(62) }));
      await store.matches.save(playedMatch(7, 9, older));
      await store.matches.save(sampleMatch(8, { stats: null, voided: true, rated: false }));
      await store.matches.save(playedMatch(5, 10 ** 5));
      const rows: [window: number, matches: number, turns: number][] = [
        [1, 1, 100_000],
        [2, 2, 101_000],
        [3, 3, 101_007],
        [500, 5, 101_117],
      ];
      for (const [window, matches, turns] of rows)
        assert.deepEqual(await readTurns(store, window), [
          [0, matches, turns],
          [1, matches, turns],
        ]);
    },
  },
  {
    name: "keeps the replay of every match until its bots release it",
    async run(store, reopen) {
      await addSixMatches(store);
      assert.deepEqual(await replayIds(store), [1, 2, 3, 4, 5, 6].map(sampleMatchId));
      assert.equal(await store.replays.has(sampleMatchId(9)), false);
      const released = await store.replays.release([botIdOf(0), botIdOf(1), botIdOf(2)], 2, 100);
      // Bot 1 keeps replays 4 and 6 and bot 2 keeps 3 and 5, the two newest of each bot. The other
      // replays have no keeper.
      assert.deepEqual(
        { ...released, removedIds: released.removedIds.toSorted() },
        { removedIds: [1, 2].map(sampleMatchId), isDone: true },
      );
      const opened = await reopen();
      assert.deepEqual(await replayIds(opened), [3, 4, 5, 6].map(sampleMatchId));
      const has = [1, 2, 3, 4].map((number) => opened.replays.has(sampleMatchId(number)));
      assert.deepEqual(await Promise.all(has), [false, false, true, true]);
      assert.equal((await opened.matches.ids()).length, 6);
      assert.equal(
        await opened.matches.stats(sampleMatchId(1)),
        sampleMatch(1).stats,
        "statistics stay",
      );
      assert.equal((await opened.stats.turns([VERSIONS[0]!], 500))[0]!.matches, 6);
    },
  },
  {
    name: "keeps a replay while at least one of its bots does, and releases it once",
    async run(store) {
      await addSixMatches(store);
      const release = async (number: number, keep: number) =>
        (await store.replays.release([botIdOf(number)], keep, 100)).removedIds.toSorted();
      assert.deepEqual(await release(0, 0), []);
      assert.deepEqual(await release(1, 1), [2, 4].map(sampleMatchId));
      assert.deepEqual(await release(1, 1), []);
      assert.deepEqual(await release(2, 0), [1, 3, 5].map(sampleMatchId));
      assert.deepEqual(await replayIds(store), [sampleMatchId(6)]);
      await store.matches.save(sampleMatch(7));
      assert.deepEqual(await release(1, 1), [sampleMatchId(6)]);
      assert.deepEqual(await replayIds(store), [sampleMatchId(7)]);
    },
  },
  {
    name: "releases in batches",
    async run(store) {
      await addSixMatches(store);
      const releaseResult: string[][] = [];
      for (let isDone = false; !isDone;) {
        const released = await store.replays.release([botIdOf(0), botIdOf(1), botIdOf(2)], 0, 2);
        releaseResult.push(released.removedIds);
        ({ isDone } = released);
      }
      assert.ok(releaseResult.every((ids) => ids.length <= 6) && releaseResult.length >= 3);
      assert.deepEqual(releaseResult.flat().toSorted(), [1, 2, 3, 4, 5, 6].map(sampleMatchId));
      assert.deepEqual(await store.replays.release([], 0, 2), { removedIds: [], isDone: true });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "keeps the replays of a held ladder when its bots release them",
    async run(first, reopen) {
      let store = first;
      await addSixMatches(store);
      const retain = async (keep: number | null, limit = 100) =>
        sortedRelease(
          await store.replays.retainForLadders(
            keep === null ? [] : [{ ...HELD_LADDER, keep }],
            limit,
          ),
        );
      const nothingReleased = { gone: [], isDone: true };
      assert.deepEqual(await retain(9), nothingReleased);
      assert.deepEqual(await retain(9), nothingReleased);
      const releaseResult = sortedRelease(
        await store.replays.release([botIdOf(0), botIdOf(1), botIdOf(2)], 0, 100),
      );
      assert.deepEqual(
        releaseResult,
        { gone: [sampleMatchId(3)], isDone: true },
        "of another ladder",
      );
      store = await reopen();
      assert.deepEqual(await replayIds(store), [1, 2, 4, 5, 6].map(sampleMatchId));
      assert.equal(await store.replays.has(sampleMatchId(1)), true);
      await store.matches.save(sampleMatch(7));
      assert.deepEqual(await retain(3, 2), { gone: [1, 2].map(sampleMatchId), isDone: false });
      assert.deepEqual(await retain(3, 2), { gone: [sampleMatchId(4)], isDone: true });
      assert.deepEqual(await retain(3), nothingReleased);
      assert.deepEqual(await retain(null, 2), { gone: [5, 6].map(sampleMatchId), isDone: false });
      // Both bots in the last match keep its replay.
      assert.deepEqual(await retain(null, 2), nothingReleased);
      assert.deepEqual(await replayIds(store), [sampleMatchId(7)]);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "doesn't restore replays removed before their ladder was held",
    async run(store) {
      await addSixMatches(store);
      await store.replays.release([botIdOf(0), botIdOf(1), botIdOf(2)], 1, 100);
      assert.deepEqual(await replayIds(store), [5, 6].map(sampleMatchId));
      await store.replays.retainForLadders([{ ...HELD_LADDER, keep: 9 }], 100);
      assert.deepEqual(await replayIds(store), [5, 6].map(sampleMatchId));
      await store.matches.save(sampleMatch(7));
      await store.replays.release([botIdOf(0), botIdOf(1), botIdOf(2)], 0, 100);
      assert.deepEqual(await replayIds(store), [5, 6, 7].map(sampleMatchId));
      const released = sortedRelease(await store.replays.retainForLadders([], 100));
      assert.deepEqual(released, { gone: [5, 6, 7].map(sampleMatchId), isDone: true });
      assert.deepEqual(await replayIds(store), []);
    },
  },
  {
    name: "keeps no casual games for a ladder, and holds several ladders separately",
    async run(store) {
      await addSixMatches(store);
      await store.matches.save(
        sampleMatch(8, { mode: "practice", rated: false, unratedReason: "mode" }),
      );
      const event = { ladderId: "event", keep: 5 };
      await store.replays.retainForLadders([{ ...HELD_LADDER, keep: 1 }, event], 100);
      await store.replays.release([botIdOf(0), botIdOf(1), botIdOf(2)], 0, 100);
      await store.replays.releaseCasual(0, 100);
      assert.deepEqual(await replayIds(store), [3, 6].map(sampleMatchId));
      assert.deepEqual((await store.replays.retainForLadders([event], 100)).removedIds, [
        sampleMatchId(6),
      ]);
      assert.deepEqual((await store.replays.retainForLadders([], 100)).removedIds, [
        sampleMatchId(3),
      ]);
    },
  },
  {
    name: "has nothing to backfill when newly created",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.stats.backfillTurns(10), 0);
    },
  },
  {
    name: "deletes old audit entries in batches, those of throttled bots sooner",
    async run(store) {
      const throttled = { kind: "bot.throttled" } as const;
      const entries = [0, 1, 2, 3, 4, 5].map((number) =>
        sampleAudit(number, number % 2 === 0 ? throttled : {}),
      );
      await store.audit.add(entries);
      const before = { throttled: sampleTime(3), all: sampleTime(2) };
      const countEntries = async () =>
        (await store.audit.list({ limit: 9 })).map(({ at }) => at).toSorted();
      assert.equal(await store.audit.sweep(before, 2), 2);
      assert.equal((await countEntries()).length, 4);
      assert.equal(await store.audit.sweep(before, 2), 1);
      assert.deepEqual(await countEntries(), [3, 4, 5].map(sampleTime));
      assert.equal(await store.audit.sweep(before, 2), 0);
    },
  },
];
