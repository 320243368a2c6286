// What the store must do with matches, and with what it counts from them.
import assert from "node:assert/strict";

import { UNRATED_REASONS } from "#core/words/rated.ts";
import type { MatchQuery } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { codeOf, countsOf, matchId, rowOf, SAMPLE_COMPETITION } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const LIST: MatchQuery = { ladderId: "public", limit: 50, withStats: false };

export const matchCases: Case[] = [
  {
    name: "gives a match back with names as they are now",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1, { durationMs: 12.5 }));
      assert.deepEqual(await store.matches.byId(sampleId("match", 1)), rowOf({ durationMs: 12.5 }));
      assert.deepEqual(await store.matches.list(LIST), [rowOf({ durationMs: 12.5 })]);
    },
  },
  {
    name: "tells why a match is unrated, in lists and alone",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      for (const [at, unratedReason] of UNRATED_REASONS.entries())
        await store.matches.save(sampleMatch(2 + at, { rated: false, unratedReason }));
      const told = (await store.matches.list(LIST))?.map((row) => row.unratedReason).toReversed();
      assert.deepEqual(told, [null, ...UNRATED_REASONS]);
      assert.equal(
        (await store.matches.byId(sampleId("match", 2)))?.unratedReason,
        UNRATED_REASONS[0],
      );
    },
  },
  {
    name: "keeps statistics apart from lists that do not ask for them",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2, { voided: true, rated: false, stats: null }));
      const { stats } = sampleMatch(1);
      assert.equal(await store.matches.stats(sampleId("match", 1)), stats);
      assert.equal(await store.matches.stats(sampleId("match", 2)), null);
      const listed = await store.matches.list({ ...LIST, withStats: true });
      assert.deepEqual(
        listed?.map((row) => row.stats),
        [null, stats],
      );
      assert.equal(
        (await store.matches.list(LIST))?.some((row) => "stats" in row),
        false,
      );
    },
  },
  {
    name: "pages newest first, also where ends are equal",
    async run(store) {
      await addSamplePlayers(store, 2);
      const ended = (number: number) => sampleTime(100 + Math.floor(number / 4));
      const numbers = [7, 3, 11, 0, 5, 9, 1, 10, 2, 8, 6, 4];
      const saving = numbers.map((n) => store.matches.save(sampleMatch(n, { ended: ended(n) })));
      await Promise.all(saving);
      for (const botId of [undefined, sampleId("bot", 1)]) {
        const paged = await pagesOf(store, { ...LIST, ...(botId && { botId }), limit: 5 });
        assert.deepEqual(paged, numbers.toSorted((a, b) => b - a).map(matchId));
        const query = { ...LIST, ...(botId && { botId }), after: matchId(6), limit: 3 };
        const newer = await store.matches.list(query);
        assert.deepEqual(
          newer?.map(({ id }) => id),
          [9, 8, 7].map(matchId),
          "nearest to it",
        );
      }
    },
  },
  {
    name: "gives null when before or after names no match",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.matches.list({ ...LIST, before: matchId(2) }), null);
      assert.equal(await store.matches.list({ ...LIST, after: matchId(2) }), null);
      assert.deepEqual(await store.matches.list({ ...LIST, before: matchId(1) }), []);
      assert.deepEqual(await store.matches.list({ ...LIST, after: matchId(1) }), []);
    },
  },
  {
    name: "lists by ladder and by bot",
    async run(store) {
      await addSamplePlayers(store, 3);
      const other = [sampleSeat(0), sampleSeat(2, { fighter: "B" })];
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2, { seats: other }));
      await store.matches.save(sampleMatch(3, { ladderId: "event", season: null, seats: other }));
      const ids = async (query: Partial<MatchQuery>) =>
        (await store.matches.list({ ...LIST, ...query }))?.map((row) => row.id);
      assert.deepEqual(await ids({}), [matchId(2), matchId(1)]);
      assert.deepEqual(await ids({ botId: sampleId("bot", 2) }), [matchId(2)]);
      assert.deepEqual(await ids({ botId: sampleId("bot", 1) }), [matchId(1)]);
      assert.deepEqual(await ids({ ladderId: "event" }), [matchId(3)]);
      assert.deepEqual(await ids({ ladderId: "none" }), []);
      assert.deepEqual(await store.matches.laddersOf(sampleId("bot", 2)), ["event", "public"]);
      assert.deepEqual(await store.matches.laddersOf(sampleId("bot", 1)), ["public"]);
    },
  },
  {
    name: "narrows a bot's matches by version, opponent, map and result",
    async run(store) {
      await addSamplePlayers(store, 3);
      const [bot, other, third] = [sampleId("bot", 0), sampleId("bot", 1), sampleId("bot", 2)];
      const newer = sampleVersion(9, { botId: bot, label: "newer" });
      await store.versions.add(newer, null);
      const seats = [sampleSeat(0, { versionId: newer.id }), sampleSeat(2, { fighter: "B" })];
      const games: MatchChanges[] = [
        { winnerBotId: bot },
        { winnerBotId: other, map: "cross" },
        { winnerBotId: null, seats },
        { winnerBotId: third, seats, map: "cross" },
        { winnerBotId: null, voided: true, rated: false },
      ];
      for (const [at, game] of games.entries()) await store.matches.save(sampleMatch(at + 1, game));
      const found = async (query: Partial<MatchQuery>) => {
        const rows = await store.matches.list({ ...LIST, botId: bot, ...query });
        return rows?.map(({ id }) => games.findIndex((_, at) => id === matchId(at + 1)) + 1);
      };
      assert.deepEqual(await found({ versionId: newer.id }), [4, 3]);
      assert.deepEqual(await found({ opponentId: other }), [5, 2, 1]);
      assert.deepEqual(await found({ opponentId: bot }), [], "nobody is its own opponent");
      assert.deepEqual(await found({ opponentId: bot, botId: third }), [4, 3]);
      assert.deepEqual(await found({ map: "cross" }), [4, 2]);
      for (const [result, numbers] of [
        ["W", [1]],
        ["L", [4, 2]],
        ["D", [3]],
      ] as const)
        assert.deepEqual(await found({ result }), numbers, result);
      const all = { versionId: newer.id, opponentId: third, map: "cross", result: "L" } as const;
      assert.deepEqual(await found(all), [4]);
      assert.deepEqual(await found({ ...all, before: matchId(4) }), []);
      const turned = { botId: third, versionId: sampleId("version", 2), opponentId: bot } as const;
      assert.deepEqual(await found({ ...turned, result: "W" }), [4]);
      assert.deepEqual(await found({ ...turned, result: "L" }), []);
      assert.deepEqual(await found({ opponentId: other, versionId: newer.id }), []);
      assert.deepEqual(await found({ opponentId: other, result: "L" }), [2]);
      assert.deepEqual(await found({ versionId: sampleId("version", 2) }), []);
    },
  },
  {
    name: "stores a match once when it is saved again",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      const again = sampleMatch(1, { winnerBotId: null, reason: "timeout_draw" });
      await Promise.all([store.matches.save(again), store.matches.save(again)]);
      assert.deepEqual(await store.matches.byId(matchId(1)), rowOf({}));
      assert.deepEqual(await countsOf(store), [["arena", 1, 0, 0]]);
      assert.deepEqual(await store.matches.counts("public"), { games: 1, voided: 0 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "lets a bad match fail alone among those that share its commit",
    async run(store) {
      await addSamplePlayers(store, 2);
      const stranger = [sampleSeat(0), sampleSeat(77, { fighter: "B" })];
      const saves = Array.from({ length: 40 }, (_, number) =>
        store.matches.save(sampleMatch(number, number === 20 ? { seats: stranger } : {})),
      );
      const settled = await Promise.allSettled(saves);
      const failed = settled.flatMap((one) =>
        one.status === "rejected" ? [codeOf(one.reason)] : [],
      );
      assert.deepEqual(failed, ["missing_reference"]);
      assert.equal((await store.matches.ids()).length, 39);
      assert.equal(await store.matches.byId(matchId(20)), null);
      assert.deepEqual(await countsOf(store), [["arena", 39, 0, 0]]);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "gives the starts since an instant and their ladders, one for each seat, oldest first",
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

export const countCases: Case[] = [
  {
    name: "counts wins, draws and losses per pair of versions and map",
    async run(store) {
      await addSamplePlayers(store, 2);
      const [winner, loser] = [sampleId("bot", 0), sampleId("bot", 1)];
      const turned = sampleMatch(0).seats.toReversed();
      await store.matches.save(sampleMatch(1, { winnerBotId: winner }));
      await store.matches.save(sampleMatch(2, { winnerBotId: loser, seats: turned }));
      await store.matches.save(sampleMatch(3, { winnerBotId: null }));
      await store.matches.save(sampleMatch(4, { winnerBotId: loser, seats: turned }));
      await store.matches.save(sampleMatch(5, { map: "cross" }));
      await store.matches.save(sampleMatch(6, { ladderId: "event", season: null }));
      assert.deepEqual(await countsOf(store), [
        ["arena", 1, 1, 2],
        ["cross", 1, 0, 0],
      ]);
      const [pair] = await store.figures.pairs({ ladderId: "event", season: null });
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
      assert.deepEqual(await store.figures.pairs(SAMPLE_COMPETITION), []);
      assert.deepEqual(await store.figures.activity(SAMPLE_COMPETITION), []);
      assert.deepEqual(await store.matches.counts("public"), { games: 1, voided: 1 });
      assert.deepEqual(await store.matches.counts("event"), { games: 0, voided: 0 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "refuses a rated match that does not have two versions",
    async run(store) {
      await addSamplePlayers(store, 2);
      const alone = sampleMatch(1, { seats: [sampleSeat(0)] });
      await assert.rejects(store.matches.save(alone), { code: "invalid" });
      assert.deepEqual(await store.matches.ids(), []);
    },
  },
  {
    name: "notes when each version last played, whatever the order of saving",
    async run(store) {
      await addSamplePlayers(store, 2);
      const turned = sampleMatch(0).seats.toReversed();
      await store.matches.save(sampleMatch(3, { ended: sampleTime(90) }));
      await store.matches.save(sampleMatch(2, { ended: sampleTime(90), seats: turned }));
      await store.matches.save(sampleMatch(5, { ended: sampleTime(80) }));
      const activity = await store.figures.activity(SAMPLE_COMPETITION);
      const last = { lastPlayed: sampleTime(90), lastMatchId: matchId(3) };
      assert.deepEqual(activity, [
        { versionId: sampleId("version", 0), botId: sampleId("bot", 0), ...last, seatBalance: 1 },
        { versionId: sampleId("version", 1), botId: sampleId("bot", 1), ...last, seatBalance: -1 },
      ]);
    },
  },
];

async function pagesOf(store: Store, query: MatchQuery): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const before = ids.at(-1);
    const page = await store.matches.list({ ...query, ...(before && { before }) });
    if (!page || page.length === 0) return ids;
    ids.push(...page.map((row) => row.id));
  }
}
