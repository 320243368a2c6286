// What the store must do with matches of each mode: it counts ranked ones, and only keeps human and
// practice games.
import assert from "node:assert/strict";

import { HUMAN, MODES } from "#core/words/rated.ts";
import type { Mode } from "#core/words/rated.ts";
import type { SeatRecord } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { matchId, rowOf, SAMPLE_COMPETITION } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const [BOT, OTHER, THIRD] = [0, 1, 2].map((number) => sampleId("bot", number)) as [
  string,
  string,
  string,
];
const LIST = { ladderId: "public", limit: 50, withStats: true };
const NOBODY: Partial<SeatRecord> = { ratingBefore: null, ratingAfter: null };
const PERSON = sampleSeat(1, { ...HUMAN, ...NOBODY, botId: null, versionId: null, fighter: "B" });

/** A match that does not count, against a person or for practice. */
function casual(number: number, mode: Mode, changes: MatchChanges = {}) {
  const bots = [sampleSeat(0), sampleSeat(1, { fighter: "B" })];
  const seats = mode === "human" ? [sampleSeat(0), PERSON] : bots;
  return sampleMatch(number, { mode, rated: false, unratedReason: "mode", seats, ...changes });
}

/** Match 1 is ranked, 2 was won by a person, 3 was practice. */
async function addOneOfEach(store: Store): Promise<void> {
  await addSamplePlayers(store, 3);
  await store.matches.save(sampleMatch(1));
  await store.matches.save(casual(2, "human", { winnerSeat: 1 }));
  await store.matches.save(casual(3, "practice"));
}

/** Everything that is counted or listed, and everything that limits consult. */
async function countsOf(store: Store): Promise<object> {
  const of = SAMPLE_COMPETITION;
  const versions = [0, 1].map((number) => sampleId("version", number));
  const query = { ladderId: "public", botId: BOT, points: 100 };
  return structuredClone({
    lists: [await store.matches.list(LIST), await store.matches.list({ ...LIST, botId: BOT })],
    counts: await store.matches.counts("public"),
    starts: await store.matches.startsSince(""),
    pairs: await store.figures.pairs(of),
    activity: await store.figures.activity(of),
    opponents: await store.figures.opponents(BOT, of),
    competition: await store.figures.competition(of, 9),
    ratings: await store.figures.ratings(query),
    turns: await store.figures.turns(versions, 500),
    latest: await store.versions.latest(BOT, 1, []),
    current: await store.versions.current(BOT, "public"),
  });
}

const idsOf = async (store: Store) => (await store.replays.ids()).toSorted();

export const modeCases: Case[] = [
  {
    name: "gives a match of each mode back as it was played",
    async run(store) {
      const figures = { deviationAfter: 61.125, scoreAfter: 1234.5678901, ratedGames: 7 };
      const accountId = sampleId("account", 1);
      const exact = [0, 1].map((n) => sampleSeat(n, { ...figures, accountId }));
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { seats: exact }));
      await store.matches.save(casual(2, "human", { winnerSeat: 1 }));
      await store.matches.save(casual(3, "practice", { winnerBotId: null }));
      const found = await Promise.all(
        [1, 2, 3].map((number) => store.matches.byId(matchId(number))),
      );
      assert.deepEqual(
        found.map((row) => row?.mode),
        MODES,
      );
      const shown = { house: false, avatar: null };
      assert.deepEqual(found[0], rowOf({ seats: exact.map((seat) => ({ ...seat, ...shown })) }));
      const [, human, practice] = found;
      assert.deepEqual([human?.winnerSeat, human?.unratedReason], [1, "mode"]);
      assert.deepEqual(human?.seats[1], { ...PERSON, ...shown });
      assert.deepEqual([human?.seats[0]?.botId, human?.seats[0]?.name], [BOT, "Bot-0"]);
      assert.deepEqual([practice?.winnerSeat, practice?.seats[1]?.botId], [null, OTHER]);
      const { stats } = sampleMatch(2);
      assert.equal(await store.matches.stats(matchId(2)), stats);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "counts and lists ranked matches alone",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(sampleMatch(1));
      const before = await countsOf(store);
      await store.matches.save(casual(2, "human", { winnerSeat: 1, finalTick: 900 }));
      await store.matches.save(casual(3, "practice", { ended: sampleTime(1), finalTick: 1 }));
      await store.matches.save(casual(4, "practice", { ladderId: "event", season: null }));
      assert.deepEqual(await countsOf(store), before);
      assert.deepEqual(await store.matches.list({ ...LIST, ladderId: "event" }), []);
      assert.deepEqual(await store.matches.laddersOf(BOT), ["event", "public"]);
      assert.deepEqual(await store.matches.laddersOf(THIRD), []);
      assert.equal((await store.matches.ids()).length, 4);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "keeps the newest replays of human and practice games together, whoever played",
    async run(store) {
      await addOneOfEach(store);
      for (const number of [6, 4, 5])
        await store.matches.save(casual(number, number === 5 ? "human" : "practice"));
      const none = await store.replays.release([BOT, OTHER], 1, 100);
      assert.deepEqual(none, { gone: [], isDone: true }, "they are not of a bot's newest");
      assert.deepEqual(await store.replays.releaseCasual(5, 100), { gone: [], isDone: true });
      assert.deepEqual(await store.replays.releaseCasual(2, 2), {
        gone: [2, 3].map(matchId),
        isDone: false,
      });
      assert.deepEqual(await idsOf(store), [1, 4, 5, 6].map(matchId));
      assert.deepEqual(await store.replays.releaseCasual(2, 2), {
        gone: [matchId(4)],
        isDone: true,
      });
      assert.deepEqual(await store.replays.releaseCasual(2, 2), { gone: [], isDone: true });
      await store.matches.save(casual(7, "human"));
      assert.deepEqual((await store.replays.releaseCasual(2, 2)).gone, [matchId(5)]);
      assert.deepEqual(await store.replays.release([BOT, OTHER], 0, 100), {
        gone: [matchId(1)],
        isDone: true,
      });
      assert.deepEqual(await idsOf(store), [6, 7].map(matchId));
      assert.equal(await store.replays.has(matchId(4)), false);
    },
  },
  {
    name: "deletes a bot that only practised with its practice matches",
    async run(store) {
      await addSamplePlayers(store, 3);
      const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
      for (const number of [1, 2]) await store.matches.save(casual(number, "practice", { seats }));
      await store.matches.save(casual(3, "practice"));
      assert.equal(await store.bots.delete(THIRD), "deleted");
      assert.equal(await store.bots.byId(THIRD), null);
      assert.deepEqual(await store.matches.ids(), [matchId(3)]);
      assert.equal(await store.matches.byId(matchId(1)), null);
      assert.equal(await store.matches.stats(matchId(1)), null);
      assert.deepEqual(await idsOf(store), [matchId(3)]);
      assert.deepEqual(await store.matches.laddersOf(OTHER), ["public"]);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "counts a void ranked match as played, whatever else the bot did",
    async run(store) {
      await addOneOfEach(store);
      const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
      await store.matches.save(casual(4, "practice", { seats }));
      await store.matches.save(sampleMatch(5, { seats, voided: true, rated: false, stats: null }));
      assert.equal(await store.bots.delete(THIRD), "played");
      assert.equal((await store.matches.ids()).length, 5);
    },
  },
  {
    name: "refuses a person in any other match than a human game",
    async run(store) {
      await addSamplePlayers(store, 2);
      const seats = [sampleSeat(0), PERSON];
      for (const mode of ["ranked", "practice"] as const)
        await assert.rejects(store.matches.save(casual(1, mode, { seats })), { code: "invalid" });
      assert.deepEqual(await store.matches.ids(), []);
    },
  },
];
