import assert from "node:assert/strict";

// What the store must tell of a ladder over all its seasons, or in one of them.
import type { Store } from "#data/store/store.ts";

import { matchId } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { addSamplePlayers, sampleBot, sampleId } from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";
import { CLOSED, game, openMonth } from "./store-season-cases.ts";

/** A match of two sample players in a season, in which `winner` is a player or null for a draw. */
function seasonGame(
  number: number,
  season: string,
  players: [number, number],
  winner: number | null,
  changes: MatchChanges = {},
) {
  const winnerBotId = winner === null ? null : sampleId("bot", winner);
  return game(number, players, { season, winnerBotId, ...changes });
}

/** Three months of three players and a house bot; the first two are over. */
async function playMonths(store: Store, archive: (id: string) => Promise<unknown>): Promise<void> {
  await store.bots.add(sampleBot(3, { house: true }), "hash-3", null);
  await addSamplePlayers(store, 4);
  await store.matches.save(seasonGame(1, "2026-01", [0, 1], 0));
  await store.matches.save(seasonGame(2, "2026-01", [1, 0], 0, { finalTick: 300 }));
  await store.matches.save(seasonGame(3, "2026-01", [1, 2], null, { map: "cross" }));
  await store.matches.save(seasonGame(4, "2026-01", [1, 2], null));
  await openMonth(store, "2026-02");
  await archive("2026-01");
  await store.matches.save(seasonGame(5, "2026-02", [0, 1], 1));
  await store.matches.save(seasonGame(6, "2026-02", [2, 3], 3, { finalTick: 300 }));
  await store.matches.save(seasonGame(7, "2026-02", [2, 0], null, { map: "cross" }));
  await openMonth(store, "2026-03");
  await archive("2026-02");
  await store.matches.save(seasonGame(8, "2026-03", [1, 0], 1));
  const isVoid = { voided: true, rated: false, winnerBotId: null };
  await store.matches.save(seasonGame(9, "2026-03", [1, 0], null, isVoid));
}

const EVER = { ladderId: "public", rivalries: 9 };

export const ladderCases: readonly Case[] = [
  {
    name: "adds up all seasons of a ladder, those archived, closing and live",
    async run(store, reopen) {
      const closing: string[] = [];
      await playMonths(store, async (id) => closing.push(id));
      const bots = [0, 1, 2].map((number) => sampleId("bot", number));
      const expected = {
        totals: { games: 8, draws: 3, voided: 1 },
        players: { bots: 3, wins: 4 },
        house: { bots: 1, wins: 1 },
        maps: [
          { map: "arena", games: 6 },
          { map: "cross", games: 2 },
        ],
        highlights: {
          opener: matchId(1),
          finale: matchId(8),
          longest: matchId(2),
          quickest: matchId(1),
        },
        // No season alone has a rivalry of the first pair, which won by turns.
        rivalries: [
          { botIds: [bots[0], bots[1]], wins: 2, draws: 0, losses: 2 },
          { botIds: [bots[1], bots[2]], wins: 0, draws: 2, losses: 0 },
          { botIds: [bots[0], bots[2]], wins: 0, draws: 1, losses: 0 },
        ],
      };
      assert.deepEqual(await store.figures.ladder(EVER), expected);
      for (const id of closing) {
        assert.equal(await store.seasons.archive(id, CLOSED, []), true);
        assert.equal(await store.seasons.archive(id, CLOSED, []), false);
        assert.deepEqual(await store.figures.ladder(EVER), expected, `${id} is archived`);
        assert.deepEqual(await store.database.faults(), []);
      }
      const opened = await reopen();
      assert.deepEqual(await opened.figures.ladder(EVER), expected);
      for (const rivalries of [1, 2])
        assert.deepEqual(
          (await opened.figures.ladder({ ...EVER, rivalries })).rivalries,
          expected.rivalries.slice(0, rivalries),
        );
    },
  },
  {
    name: "tells what was played on a ladder in one season, or where there are none",
    async run(store) {
      await playMonths(store, (id) => store.seasons.archive(id, CLOSED, []));
      const event = { ladderId: "event", season: null };
      await store.matches.save(game(10, [2, 1], event));
      const february = await store.figures.ladder({ ...EVER, season: "2026-02" });
      assert.deepEqual(february, {
        totals: { games: 3, draws: 1, voided: 0 },
        players: { bots: 3, wins: 1 },
        house: { bots: 1, wins: 1 },
        maps: [
          { map: "arena", games: 2 },
          { map: "cross", games: 1 },
        ],
        highlights: {
          opener: matchId(5),
          finale: matchId(7),
          longest: matchId(6),
          quickest: matchId(5),
        },
        rivalries: [
          {
            botIds: [sampleId("bot", 0), sampleId("bot", 2)],
            wins: 0,
            draws: 1,
            losses: 0,
          },
        ],
      });
      const { totals, players, maps } = await store.figures.ladder({ ...EVER, ladderId: "event" });
      assert.deepEqual(totals, { games: 1, draws: 0, voided: 0 });
      assert.deepEqual(players, { bots: 2, wins: 1 });
      assert.deepEqual(maps, [{ map: "arena", games: 1 }]);
      const nothing = await store.figures.ladder({ ...EVER, season: "2020-01" });
      assert.deepEqual(nothing, {
        totals: { games: 0, draws: 0, voided: 0 },
        players: { bots: 0, wins: 0 },
        house: { bots: 0, wins: 0 },
        maps: [],
        highlights: {},
        rivalries: [],
      });
    },
  },
];
