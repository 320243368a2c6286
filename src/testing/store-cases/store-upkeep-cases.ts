// What the store must do with turns by version and with kept replays.
import assert from "node:assert/strict";

import type { Released } from "#data/store/replay.ts";
import type { Store } from "#data/store/store.ts";

import { matchId } from "./store-case.ts";
import type { Case } from "./store-case.ts";
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
const bot = (number: number) => sampleId("bot", number);

const TIMING = {
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
const FIRST = {
  server_idles: { timeout: 2, schema: 1 },
  refused_turns: 3,
  refused_turns_by_reason: { blocked: 2, not_ready: 2 },
  disconnects: 1,
  disqualified: true,
  timing: TIMING,
};
const SECOND = { server_idles: {}, refused_turns: 0, refused_turns_by_reason: {}, timing: null };

/** A match with statistics of this many turns. */
function played(number: number, ticks: number, changes: MatchChanges = {}) {
  const stats = JSON.stringify({ stats_version: 2, ticks, fighters: [FIRST, SECOND] });
  return sampleMatch(number, { stats, ...changes });
}

/** Matches and turns by version. */
async function turnsOf(store: Store, window: number): Promise<unknown[]> {
  const found = await store.figures.turns(VERSIONS, window);
  return found.map(({ versionId, matches, turns }) => [
    VERSIONS.indexOf(versionId),
    matches,
    turns,
  ]);
}

/** Bot 0 plays bot 1 and bot 2 in turn; matches end in the order of their numbers. */
async function addSix(store: Store): Promise<void> {
  await addSamplePlayers(store, 3);
  for (const number of [4, 1, 6, 2, 5, 3]) {
    const other = sampleSeat(1 + (number % 2), { fighter: "B" });
    const isElsewhere = number === 3;
    const where = isElsewhere ? { ladderId: "event", season: null } : {};
    await store.matches.save(sampleMatch(number, { seats: [sampleSeat(0), other], ...where }));
  }
}

const replays = async (store: Store) => (await store.replays.ids()).toSorted();

const sorted = ({ gone, isDone }: Released) => ({ gone: gone.toSorted(), isDone });

/** The ladder of most sample matches. */
const HELD = { ladderId: "public" };

export const upkeepCases: Case[] = [
  {
    name: "adds up how versions played their turns",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(played(1, 40));
      await store.matches.save(played(2, 60, { ladderId: "event", season: null }));
      const ids = [...VERSIONS, sampleId("version", 2), "nobody"];
      const [first, second, ...more] = await store.figures.turns(ids, 500);
      assert.deepEqual(more, [], "without matches");
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
    name: "looks at the newest matches of a version that have current statistics",
    async run(store) {
      await addSamplePlayers(store, 2);
      const older = { stats: JSON.stringify({ stats_version: 1, ticks: 9, fighters: [{}, {}] }) };
      for (const number of [3, 1, 5, 2]) await store.matches.save(played(number, 10 ** number));
      await store.matches.save(played(6, 7, { ended: sampleTime(62) }));
      await store.matches.save(played(7, 9, older));
      await store.matches.save(sampleMatch(8, { stats: null, voided: true, rated: false }));
      await store.matches.save(played(5, 10 ** 5));
      const rows: [window: number, matches: number, turns: number][] = [
        [1, 1, 100_000],
        [2, 2, 101_000],
        [3, 3, 101_007],
        [500, 5, 101_117],
      ];
      for (const [window, matches, turns] of rows)
        assert.deepEqual(await turnsOf(store, window), [
          [0, matches, turns],
          [1, matches, turns],
        ]);
    },
  },
  {
    name: "keeps the replay of every match until bots let go of it",
    async run(store, reopen) {
      await addSix(store);
      assert.deepEqual(await replays(store), [1, 2, 3, 4, 5, 6].map(matchId));
      assert.equal(await store.replays.has(matchId(9)), false);
      const released = await store.replays.release([bot(0), bot(1), bot(2)], 2, 100);
      // Bot 1 keeps its newest two, 4 and 6, and bot 2 keeps 3 and 5; nobody keeps the others.
      assert.deepEqual(
        { ...released, gone: released.gone.toSorted() },
        { gone: [1, 2].map(matchId), isDone: true },
      );
      const opened = await reopen();
      assert.deepEqual(await replays(opened), [3, 4, 5, 6].map(matchId));
      const has = [1, 2, 3, 4].map((number) => opened.replays.has(matchId(number)));
      assert.deepEqual(await Promise.all(has), [false, false, true, true]);
      assert.equal((await opened.matches.ids()).length, 6);
      assert.equal(await opened.matches.stats(matchId(1)), sampleMatch(1).stats, "statistics stay");
      assert.equal((await opened.figures.turns([VERSIONS[0]!], 500))[0]!.matches, 6);
    },
  },
  {
    name: "keeps a replay as long as one of its two bots does, and lets go of it once",
    async run(store) {
      await addSix(store);
      const release = async (number: number, keep: number) =>
        (await store.replays.release([bot(number)], keep, 100)).gone.toSorted();
      assert.deepEqual(await release(0, 0), []);
      assert.deepEqual(await release(1, 1), [2, 4].map(matchId));
      assert.deepEqual(await release(1, 1), []);
      assert.deepEqual(await release(2, 0), [1, 3, 5].map(matchId));
      assert.deepEqual(await replays(store), [matchId(6)]);
      await store.matches.save(sampleMatch(7));
      assert.deepEqual(await release(1, 1), [matchId(6)]);
      assert.deepEqual(await replays(store), [matchId(7)]);
    },
  },
  {
    name: "lets go in portions",
    async run(store) {
      await addSix(store);
      const gone: string[][] = [];
      for (let isDone = false; !isDone;) {
        const released = await store.replays.release([bot(0), bot(1), bot(2)], 0, 2);
        gone.push(released.gone);
        ({ isDone } = released);
      }
      assert.ok(gone.every((ids) => ids.length <= 6) && gone.length >= 3);
      assert.deepEqual(gone.flat().toSorted(), [1, 2, 3, 4, 5, 6].map(matchId));
      assert.deepEqual(await store.replays.release([], 0, 2), { gone: [], isDone: true });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "keeps the replays of a ladder that is held, whatever its bots let go of",
    async run(first, reopen) {
      let store = first;
      await addSix(store);
      const hold = async (keep: number | null, most = 100) =>
        sorted(await store.replays.hold(keep === null ? [] : [{ ...HELD, keep }], most));
      const none = { gone: [], isDone: true };
      assert.deepEqual(await hold(9), none);
      assert.deepEqual(await hold(9), none);
      const gone = sorted(await store.replays.release([bot(0), bot(1), bot(2)], 0, 100));
      assert.deepEqual(gone, { gone: [matchId(3)], isDone: true }, "of another ladder");
      store = await reopen();
      assert.deepEqual(await replays(store), [1, 2, 4, 5, 6].map(matchId));
      assert.equal(await store.replays.has(matchId(1)), true);
      await store.matches.save(sampleMatch(7));
      assert.deepEqual(await hold(3, 2), { gone: [1, 2].map(matchId), isDone: false });
      assert.deepEqual(await hold(3, 2), { gone: [matchId(4)], isDone: true });
      assert.deepEqual(await hold(3), none);
      assert.deepEqual(await hold(null, 2), { gone: [5, 6].map(matchId), isDone: false });
      // Its two bots keep the last one.
      assert.deepEqual(await hold(null, 2), none);
      assert.deepEqual(await replays(store), [matchId(7)]);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "does not bring back replays that were gone before their ladder was held",
    async run(store) {
      await addSix(store);
      await store.replays.release([bot(0), bot(1), bot(2)], 1, 100);
      assert.deepEqual(await replays(store), [5, 6].map(matchId));
      await store.replays.hold([{ ...HELD, keep: 9 }], 100);
      assert.deepEqual(await replays(store), [5, 6].map(matchId));
      await store.matches.save(sampleMatch(7));
      await store.replays.release([bot(0), bot(1), bot(2)], 0, 100);
      assert.deepEqual(await replays(store), [5, 6, 7].map(matchId));
      const released = sorted(await store.replays.hold([], 100));
      assert.deepEqual(released, { gone: [5, 6, 7].map(matchId), isDone: true });
      assert.deepEqual(await replays(store), []);
    },
  },
  {
    name: "keeps no casual games for a ladder, and holds several ladders apart",
    async run(store) {
      await addSix(store);
      await store.matches.save(
        sampleMatch(8, { mode: "practice", rated: false, unratedReason: "mode" }),
      );
      const event = { ladderId: "event", keep: 5 };
      await store.replays.hold([{ ...HELD, keep: 1 }, event], 100);
      await store.replays.release([bot(0), bot(1), bot(2)], 0, 100);
      await store.replays.releaseCasual(0, 100);
      assert.deepEqual(await replays(store), [3, 6].map(matchId));
      assert.deepEqual((await store.replays.hold([event], 100)).gone, [matchId(6)]);
      assert.deepEqual((await store.replays.hold([], 100)).gone, [matchId(3)]);
    },
  },
  {
    name: "has no statistics left to carry over when it was made new",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.figures.carryTurns(10), 0);
    },
  },
  {
    name: "forgets old entries of the audit a portion at a time, those of throttled bots sooner",
    async run(store) {
      const throttled = { kind: "bot.throttled" } as const;
      const entries = [0, 1, 2, 3, 4, 5].map((number) =>
        sampleAudit(number, number % 2 === 0 ? throttled : {}),
      );
      await store.audit.add(entries);
      const before = { throttled: sampleTime(3), all: sampleTime(2) };
      const left = async () =>
        (await store.audit.list({ limit: 9 })).map(({ at }) => at).toSorted();
      assert.equal(await store.audit.sweep(before, 2), 2);
      assert.equal((await left()).length, 4);
      assert.equal(await store.audit.sweep(before, 2), 1);
      assert.deepEqual(await left(), [3, 4, 5].map(sampleTime));
      assert.equal(await store.audit.sweep(before, 2), 0);
    },
  },
];
