// Ranked matches are counted. Human and practice matches are only stored.
import assert from "node:assert/strict";

import { HUMAN_SEAT, MATCH_MODES } from "#core/ids/match-modes.ts";
import type { MatchMode } from "#core/ids/match-modes.ts";
import type { SeatRecord } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { sampleMatchId, expectedRow, SAMPLE_COMPETITION } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const [FIRST_BOT, SECOND_BOT, THIRD_BOT] = [0, 1, 2].map((number) => sampleId("bot", number)) as [
  string,
  string,
  string,
];
const LIST_QUERY = { ladderId: "public", limit: 50, withStats: true };
const UNRATED_FIELDS: Partial<SeatRecord> = { ratingBefore: null, ratingAfter: null };
const PERSON_SEAT = sampleSeat(1, {
  ...HUMAN_SEAT,
  ...UNRATED_FIELDS,
  botId: null,
  versionId: null,
  fighter: "B",
});

function casualMatch(number: number, mode: MatchMode, changes: MatchChanges = {}) {
  const bots = [sampleSeat(0), sampleSeat(1, { fighter: "B" })];
  const seats = mode === "human" ? [sampleSeat(0), PERSON_SEAT] : bots;
  return sampleMatch(number, { mode, rated: false, unratedReason: "mode", seats, ...changes });
}

/**
 * Adds three matches: match 1 is ranked, match 2 was won by a person, and match 3 is a practice
 * match.
 */
async function addOneOfEach(store: Store): Promise<void> {
  await addSamplePlayers(store, 3);
  await store.matches.save(sampleMatch(1));
  await store.matches.save(casualMatch(2, "human", { winnerSeat: 1 }));
  await store.matches.save(casualMatch(3, "practice"));
}

async function modeCounts(store: Store): Promise<object> {
  const competition = SAMPLE_COMPETITION;
  const versions = [0, 1].map((number) => sampleId("version", number));
  const query = { ladderId: "public", botId: FIRST_BOT, points: 100 };
  return structuredClone({
    lists: [
      await store.matches.list(LIST_QUERY),
      await store.matches.list({ ...LIST_QUERY, botId: FIRST_BOT }),
    ],
    counts: await store.matches.counts("public"),
    starts: await store.matches.startsSince(""),
    pairs: await store.stats.pairs(competition),
    activity: await store.stats.activity(competition),
    opponents: await store.stats.opponents(FIRST_BOT, competition),
    competition: await store.stats.competition(competition, 9),
    ratings: await store.stats.ratings(query),
    turns: await store.stats.turns(versions, 500),
    latest: await store.versions.latest(FIRST_BOT, 1, []),
    current: await store.versions.current(FIRST_BOT, "public"),
  });
}

const replayIds = async (store: Store) => (await store.replays.ids()).toSorted();

export const modeCases: StoreCase[] = [
  {
    name: "returns a match of each mode as it was played",
    async run(store) {
      const figures = { deviationAfter: 61.125, scoreAfter: 1234.5678901, ratedGames: 7 };
      const accountId = sampleId("account", 1);
      const exactRating = [0, 1].map((number) => sampleSeat(number, { ...figures, accountId }));
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { seats: exactRating }));
      await store.matches.save(casualMatch(2, "human", { winnerSeat: 1 }));
      await store.matches.save(casualMatch(3, "practice", { winnerBotId: null }));
      const lookups = await Promise.all(
        [1, 2, 3].map((number) => store.matches.byId(sampleMatchId(number))),
      );
      assert.deepEqual(
        lookups.map((row) => row?.mode),
        MATCH_MODES,
      );
      const seatFields = { house: false, avatar: null };
      assert.deepEqual(
        lookups[0],
        expectedRow({ seats: exactRating.map((seat) => ({ ...seat, ...seatFields })) }),
      );
      const [, humanMatch, practice] = lookups;
      assert.deepEqual([humanMatch?.winnerSeat, humanMatch?.unratedReason], [1, "mode"]);
      assert.deepEqual(humanMatch?.seats[1], { ...PERSON_SEAT, ...seatFields });
      assert.deepEqual(
        [humanMatch?.seats[0]?.botId, humanMatch?.seats[0]?.name],
        [FIRST_BOT, "Bot-0"],
      );
      assert.deepEqual([practice?.winnerSeat, practice?.seats[1]?.botId], [null, SECOND_BOT]);
      const { stats } = sampleMatch(2);
      assert.equal(await store.matches.stats(sampleMatchId(2)), stats);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "counts and lists only ranked matches",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(sampleMatch(1));
      const before = await modeCounts(store);
      await store.matches.save(casualMatch(2, "human", { winnerSeat: 1, finalTick: 900 }));
      await store.matches.save(casualMatch(3, "practice", { ended: sampleTime(1), finalTick: 1 }));
      await store.matches.save(casualMatch(4, "practice", { ladderId: "event", season: null }));
      assert.deepEqual(await modeCounts(store), before);
      assert.deepEqual(await store.matches.list({ ...LIST_QUERY, ladderId: "event" }), []);
      assert.deepEqual(await store.matches.laddersOf(FIRST_BOT), ["event", "public"]);
      assert.deepEqual(await store.matches.laddersOf(THIRD_BOT), []);
      assert.equal((await store.matches.ids()).length, 4);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "keeps the newest replays of human and practice games together, whoever played",
    async run(store) {
      await addOneOfEach(store);
      for (const number of [6, 4, 5])
        await store.matches.save(casualMatch(number, number === 5 ? "human" : "practice"));
      const nothingReleased = await store.replays.release([FIRST_BOT, SECOND_BOT], 1, 100);
      assert.deepEqual(
        nothingReleased,
        { removedIds: [], isDone: true },
        "they aren't among a bot's newest",
      );
      assert.deepEqual(await store.replays.releaseCasual(5, 100), { removedIds: [], isDone: true });
      assert.deepEqual(await store.replays.releaseCasual(2, 2), {
        removedIds: [2, 3].map(sampleMatchId),
        isDone: false,
      });
      assert.deepEqual(await replayIds(store), [1, 4, 5, 6].map(sampleMatchId));
      assert.deepEqual(await store.replays.releaseCasual(2, 2), {
        removedIds: [sampleMatchId(4)],
        isDone: true,
      });
      assert.deepEqual(await store.replays.releaseCasual(2, 2), { removedIds: [], isDone: true });
      await store.matches.save(casualMatch(7, "human"));
      assert.deepEqual((await store.replays.releaseCasual(2, 2)).removedIds, [sampleMatchId(5)]);
      assert.deepEqual(await store.replays.release([FIRST_BOT, SECOND_BOT], 0, 100), {
        removedIds: [sampleMatchId(1)],
        isDone: true,
      });
      assert.deepEqual(await replayIds(store), [6, 7].map(sampleMatchId));
      assert.equal(await store.replays.has(sampleMatchId(4)), false);
    },
  },
  {
    name: "deletes a bot that only practised, with its practice matches",
    async run(store) {
      await addSamplePlayers(store, 3);
      const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
      for (const number of [1, 2])
        await store.matches.save(casualMatch(number, "practice", { seats }));
      await store.matches.save(casualMatch(3, "practice"));
      assert.equal(await store.bots.delete(THIRD_BOT), "deleted");
      assert.equal(await store.bots.byId(THIRD_BOT), null);
      assert.deepEqual(await store.matches.ids(), [sampleMatchId(3)]);
      assert.equal(await store.matches.byId(sampleMatchId(1)), null);
      assert.equal(await store.matches.stats(sampleMatchId(1)), null);
      assert.deepEqual(await replayIds(store), [sampleMatchId(3)]);
      assert.deepEqual(await store.matches.laddersOf(SECOND_BOT), ["public"]);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "counts a void ranked match as played, whatever else the bot did",
    async run(store) {
      await addOneOfEach(store);
      const seats = [sampleSeat(2), sampleSeat(1, { fighter: "B" })];
      await store.matches.save(casualMatch(4, "practice", { seats }));
      await store.matches.save(sampleMatch(5, { seats, voided: true, rated: false, stats: null }));
      assert.equal(await store.bots.delete(THIRD_BOT), "played");
      assert.equal((await store.matches.ids()).length, 5);
    },
  },
  {
    name: "rejects a person in any match other than a human game",
    async run(store) {
      await addSamplePlayers(store, 2);
      const seats = [sampleSeat(0), PERSON_SEAT];
      for (const mode of ["ranked", "practice"] as const)
        await assert.rejects(store.matches.save(casualMatch(1, mode, { seats })), {
          code: "invalid",
        });
      assert.deepEqual(await store.matches.ids(), []);
    },
  },
];
