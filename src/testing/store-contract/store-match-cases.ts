import assert from "node:assert/strict";

import { UNRATED_REASONS } from "#core/ids/match-modes.ts";
import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import {
  errorCodeOf,
  competitionCounts,
  sampleMatchId,
  expectedRow,
  SAMPLE_COMPETITION,
} from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const LIST_QUERY: MatchQuery = { ladderId: "public", limit: 50, withStats: false };

export const matchCases: StoreCase[] = [
  {
    name: "returns a match with current names",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { durationMs: 12.5 }));
      assert.deepEqual(
        await store.matches.byId(sampleId("match", 1)),
        expectedRow({ durationMs: 12.5 }),
      );
      assert.deepEqual(await store.matches.list(LIST_QUERY), [expectedRow({ durationMs: 12.5 })]);
    },
  },
  {
    name: "returns why a match is unrated, in lists and alone",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      for (const [index, unratedReason] of UNRATED_REASONS.entries())
        await store.matches.save(sampleMatch(2 + index, { rated: false, unratedReason }));
      const unratedReasons = (await store.matches.list(LIST_QUERY))
        ?.map((row) => row.unratedReason)
        .toReversed();
      assert.deepEqual(unratedReasons, [null, ...UNRATED_REASONS]);
      assert.equal(
        (await store.matches.byId(sampleId("match", 2)))?.unratedReason,
        UNRATED_REASONS[0],
      );
    },
  },
  {
    name: "omits statistics from lists unless requested",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2, { voided: true, rated: false, stats: null }));
      const { stats } = sampleMatch(1);
      assert.equal(await store.matches.stats(sampleId("match", 1)), stats);
      assert.equal(await store.matches.stats(sampleId("match", 2)), null);
      const listedMatches = await store.matches.list({ ...LIST_QUERY, withStats: true });
      assert.deepEqual(
        listedMatches?.map((row) => row.stats),
        [null, stats],
      );
      assert.equal(
        (await store.matches.list(LIST_QUERY))?.some((row) => "stats" in row),
        false,
      );
    },
  },
  {
    name: "pages newest first, also with equal end times",
    async run(store) {
      await addSamplePlayers(store, 2);
      const ended = (number: number) => sampleTime(100 + Math.floor(number / 4));
      const numbers = [7, 3, 11, 0, 5, 9, 1, 10, 2, 8, 6, 4];
      const pendingSaves = numbers.map((n) =>
        store.matches.save(sampleMatch(n, { ended: ended(n) })),
      );
      await Promise.all(pendingSaves);
      for (const botId of [undefined, sampleId("bot", 1)]) {
        const paged = await collectPages(store, {
          ...LIST_QUERY,
          ...(botId && { botId }),
          limit: 5,
        });
        assert.deepEqual(paged, numbers.toSorted((a, b) => b - a).map(sampleMatchId));
        const query = { ...LIST_QUERY, ...(botId && { botId }), after: sampleMatchId(6), limit: 3 };
        const newer = await store.matches.list(query);
        assert.deepEqual(
          newer?.map(({ id }) => id),
          [9, 8, 7].map(sampleMatchId),
          "nearest to it",
        );
      }
    },
  },
  {
    name: "returns null if before or after names no match",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.matches.list({ ...LIST_QUERY, before: sampleMatchId(2) }), null);
      assert.equal(await store.matches.list({ ...LIST_QUERY, after: sampleMatchId(2) }), null);
      assert.deepEqual(await store.matches.list({ ...LIST_QUERY, before: sampleMatchId(1) }), []);
      assert.deepEqual(await store.matches.list({ ...LIST_QUERY, after: sampleMatchId(1) }), []);
    },
  },
  {
    name: "lists by ladder and by bot",
    async run(store) {
      await addSamplePlayers(store, 3);
      const otherSeats = [sampleSeat(0), sampleSeat(2, { fighter: "B" })];
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2, { seats: otherSeats }));
      await store.matches.save(
        sampleMatch(3, { ladderId: "event", season: null, seats: otherSeats }),
      );
      const ids = async (query: Partial<MatchQuery>) =>
        (await store.matches.list({ ...LIST_QUERY, ...query }))?.map((row) => row.id);
      assert.deepEqual(await ids({}), [sampleMatchId(2), sampleMatchId(1)]);
      assert.deepEqual(await ids({ botId: sampleId("bot", 2) }), [sampleMatchId(2)]);
      assert.deepEqual(await ids({ botId: sampleId("bot", 1) }), [sampleMatchId(1)]);
      assert.deepEqual(await ids({ ladderId: "event" }), [sampleMatchId(3)]);
      assert.deepEqual(await ids({ ladderId: "none" }), []);
      assert.deepEqual(await store.matches.laddersOf(sampleId("bot", 2)), ["event", "public"]);
      assert.deepEqual(await store.matches.laddersOf(sampleId("bot", 1)), ["public"]);
    },
  },
  {
    name: "filters a bot's matches by version, opponent, map and result",
    async run(store) {
      await addSamplePlayers(store, 3);
      const [bot, otherSeats, thirdBot] = [
        sampleId("bot", 0),
        sampleId("bot", 1),
        sampleId("bot", 2),
      ];
      const newer = sampleVersion(9, { botId: bot, label: "newer" });
      await store.versions.add(newer, null);
      const seats = [sampleSeat(0, { versionId: newer.id }), sampleSeat(2, { fighter: "B" })];
      const games: MatchChanges[] = [
        { winnerBotId: bot },
        { winnerBotId: otherSeats, map: "cross" },
        { winnerBotId: null, seats },
        { winnerBotId: thirdBot, seats, map: "cross" },
        { winnerBotId: null, voided: true, rated: false },
      ];
      for (const [index, game] of games.entries())
        await store.matches.save(sampleMatch(index + 1, game));
      const matchIds = async (query: Partial<MatchQuery>) => {
        const rows = await store.matches.list({ ...LIST_QUERY, botId: bot, ...query });
        return rows?.map(
          ({ id }) => games.findIndex((_, index) => id === sampleMatchId(index + 1)) + 1,
        );
      };
      assert.deepEqual(await matchIds({ versionId: newer.id }), [4, 3]);
      assert.deepEqual(await matchIds({ opponentId: otherSeats }), [5, 2, 1]);
      assert.deepEqual(await matchIds({ opponentId: bot }), [], "a bot is not its own opponent");
      assert.deepEqual(await matchIds({ opponentId: bot, botId: thirdBot }), [4, 3]);
      assert.deepEqual(await matchIds({ map: "cross" }), [4, 2]);
      for (const [result, numbers] of [
        ["W", [1]],
        ["L", [4, 2]],
        ["D", [3]],
      ] as const)
        assert.deepEqual(await matchIds({ result }), numbers, result);
      const fullFilter = {
        versionId: newer.id,
        opponentId: thirdBot,
        map: "cross",
        result: "L",
      } as const;
      assert.deepEqual(await matchIds(fullFilter), [4]);
      assert.deepEqual(await matchIds({ ...fullFilter, before: sampleMatchId(4) }), []);
      const swappedMatch = {
        botId: thirdBot,
        versionId: sampleId("version", 2),
        opponentId: bot,
      } as const;
      assert.deepEqual(await matchIds({ ...swappedMatch, result: "W" }), [4]);
      assert.deepEqual(await matchIds({ ...swappedMatch, result: "L" }), []);
      assert.deepEqual(await matchIds({ opponentId: otherSeats, versionId: newer.id }), []);
      assert.deepEqual(await matchIds({ opponentId: otherSeats, result: "L" }), [2]);
      assert.deepEqual(await matchIds({ versionId: sampleId("version", 2) }), []);
    },
  },
  {
    name: "stores a match once when it is saved again",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      const repeatedMatch = sampleMatch(1, { winnerBotId: null, reason: "timeout_draw" });
      await Promise.all([store.matches.save(repeatedMatch), store.matches.save(repeatedMatch)]);
      assert.deepEqual(await store.matches.byId(sampleMatchId(1)), expectedRow({}));
      assert.deepEqual(await competitionCounts(store), [["arena", 1, 0, 0]]);
      assert.deepEqual(await store.matches.counts("public"), { games: 1, voided: 0 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "rejects only the invalid match among those that share its commit",
    async run(store) {
      await addSamplePlayers(store, 2);
      const unknownBot = [sampleSeat(0), sampleSeat(77, { fighter: "B" })];
      const saves = Array.from({ length: 40 }, (_, number) =>
        store.matches.save(sampleMatch(number, number === 20 ? { seats: unknownBot } : {})),
      );
      const settled = await Promise.allSettled(saves);
      const failed = settled.flatMap((result) =>
        result.status === "rejected" ? [errorCodeOf(result.reason)] : [],
      );
      assert.deepEqual(failed, ["missing_reference"]);
      assert.equal((await store.matches.ids()).length, 39);
      assert.equal(await store.matches.byId(sampleMatchId(20)), null);
      assert.deepEqual(await competitionCounts(store), [["arena", 39, 0, 0]]);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "returns starts since an instant and their ladders, one per seat, oldest first",
    async run(store) {
      await addSamplePlayers(store, 2);
      for (const number of [3, 1, 2]) await store.matches.save(sampleMatch(number));
      await store.matches.save(sampleMatch(4, { ladderId: "event", season: null }));
      const starts = await store.matches.startsSince(sampleTime(2));
      const expected = [2, 3, 4].flatMap((number) =>
        [0, 1].map((seat) => ({
          botId: sampleId("bot", seat),
          ladderId: number === 4 ? "event" : "public",
          started: sampleTime(number),
        })),
      );
      assert.deepEqual(starts, expected);
    },
  },
];

export const countCases: StoreCase[] = [
  {
    name: "counts wins, draws and losses per pair of versions and map",
    async run(store) {
      await addSamplePlayers(store, 2);
      const [winner, loser] = [sampleId("bot", 0), sampleId("bot", 1)];
      const swappedMatch = sampleMatch(0).seats.toReversed();
      await store.matches.save(sampleMatch(1, { winnerBotId: winner }));
      await store.matches.save(sampleMatch(2, { winnerBotId: loser, seats: swappedMatch }));
      await store.matches.save(sampleMatch(3, { winnerBotId: null }));
      await store.matches.save(sampleMatch(4, { winnerBotId: loser, seats: swappedMatch }));
      await store.matches.save(sampleMatch(5, { map: "cross" }));
      await store.matches.save(sampleMatch(6, { ladderId: "event", season: null }));
      assert.deepEqual(await competitionCounts(store), [
        ["arena", 1, 1, 2],
        ["cross", 1, 0, 0],
      ]);
      const [pair] = await store.stats.pairs({ ladderId: "event", season: null });
      assert.equal(pair?.first, sampleId("version", 0));
      assert.equal(pair?.second, sampleId("version", 1));
    },
  },
  {
    name: "leaves unrated and voided matches out of pair counts and activity",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { rated: false }));
      await store.matches.save(sampleMatch(2, { voided: true, rated: false }));
      assert.deepEqual(await store.stats.pairs(SAMPLE_COMPETITION), []);
      assert.deepEqual(await store.stats.activity(SAMPLE_COMPETITION), []);
      assert.deepEqual(await store.matches.counts("public"), { games: 1, voided: 1 });
      assert.deepEqual(await store.matches.counts("event"), { games: 0, voided: 0 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "rejects a rated match without two versions",
    async run(store) {
      await addSamplePlayers(store, 2);
      const unpairedMatch = sampleMatch(1, { seats: [sampleSeat(0)] });
      await assert.rejects(store.matches.save(unpairedMatch), { code: "invalid" });
      assert.deepEqual(await store.matches.ids(), []);
    },
  },
  {
    name: "records when each version last played, whatever the order of saving",
    async run(store) {
      await addSamplePlayers(store, 2);
      const swappedMatch = sampleMatch(0).seats.toReversed();
      await store.matches.save(sampleMatch(3, { ended: sampleTime(90) }));
      await store.matches.save(sampleMatch(2, { ended: sampleTime(90), seats: swappedMatch }));
      await store.matches.save(sampleMatch(5, { ended: sampleTime(80) }));
      const activity = await store.stats.activity(SAMPLE_COMPETITION);
      const last = { lastPlayed: sampleTime(90), lastMatchId: sampleMatchId(3) };
      assert.deepEqual(activity, [
        { versionId: sampleId("version", 0), botId: sampleId("bot", 0), ...last, seatBalance: 1 },
        { versionId: sampleId("version", 1), botId: sampleId("bot", 1), ...last, seatBalance: -1 },
      ]);
    },
  },
];

async function collectPages(store: Store, query: MatchQuery): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const before = ids.at(-1);
    const page = await store.matches.list({ ...query, ...(before && { before }) });
    if (!page || page.length === 0) return ids;
    ids.push(...page.map((row) => row.id));
  }
}
