import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import { sampleMatchId } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { addSamplePlayers, sampleBot, sampleId } from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";
import { SEASON_CLOSED_AT, sampleRatedGame, addMonth } from "./store-season-cases.ts";

/**
 * Returns a match between two sample players in a season. `winner` is a player, or null for a draw.
 */
function sampleSeasonGame(
  number: number,
  season: string,
  players: [number, number],
  winner: number | null,
  changes: MatchChanges = {},
) {
  const winnerBotId = winner === null ? null : sampleId("bot", winner);
  return sampleRatedGame(number, players, { season, winnerBotId, ...changes });
}

/**
 * Plays three months with three players and a house bot. Calls `archive` after each of the first
 * two months.
 */
async function playMonths(store: Store, archive: (id: string) => Promise<unknown>): Promise<void> {
  await store.bots.add(sampleBot(3, { house: true }), "hash-3", null);
  await addSamplePlayers(store, 4);
  await store.matches.save(sampleSeasonGame(1, "2026-01", [0, 1], 0));
  await store.matches.save(sampleSeasonGame(2, "2026-01", [1, 0], 0, { finalTick: 300 }));
  await store.matches.save(sampleSeasonGame(3, "2026-01", [1, 2], null, { map: "cross" }));
  await store.matches.save(sampleSeasonGame(4, "2026-01", [1, 2], null));
  await addMonth(store, "2026-02");
  await archive("2026-01");
  await store.matches.save(sampleSeasonGame(5, "2026-02", [0, 1], 1));
  await store.matches.save(sampleSeasonGame(6, "2026-02", [2, 3], 3, { finalTick: 300 }));
  await store.matches.save(sampleSeasonGame(7, "2026-02", [2, 0], null, { map: "cross" }));
  await addMonth(store, "2026-03");
  await archive("2026-02");
  await store.matches.save(sampleSeasonGame(8, "2026-03", [1, 0], 1));
  const isVoid = { voided: true, rated: false, winnerBotId: null };
  await store.matches.save(sampleSeasonGame(9, "2026-03", [1, 0], null, isVoid));
}

const ALL_TIME_QUERY = { ladderId: "public", rivalries: 9 };

export const ladderCases: readonly StoreCase[] = [
  {
    name: "sums all seasons of a ladder: archived, closing and live",
    async run(store, reopen) {
      const archiving: string[] = [];
      await playMonths(store, async (id) => archiving.push(id));
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
          opener: sampleMatchId(1),
          finale: sampleMatchId(8),
          longest: sampleMatchId(2),
          quickest: sampleMatchId(1),
        },
        // The first pair won alternately, so it has a rivalry across all seasons but not in any
        // single season.
        rivalries: [
          { botIds: [bots[0], bots[1]], wins: 2, draws: 0, losses: 2 },
          { botIds: [bots[1], bots[2]], wins: 0, draws: 2, losses: 0 },
          { botIds: [bots[0], bots[2]], wins: 0, draws: 1, losses: 0 },
        ],
      };
      assert.deepEqual(await store.stats.ladder(ALL_TIME_QUERY), expected);
      for (const id of archiving) {
        assert.equal(await store.seasons.archive(id, SEASON_CLOSED_AT, []), true);
        assert.equal(await store.seasons.archive(id, SEASON_CLOSED_AT, []), false);
        assert.deepEqual(await store.stats.ladder(ALL_TIME_QUERY), expected, `${id} is archived`);
        assert.deepEqual(await store.database.faults(), []);
      }
      const opened = await reopen();
      assert.deepEqual(await opened.stats.ladder(ALL_TIME_QUERY), expected);
      for (const rivalries of [1, 2])
        assert.deepEqual(
          (await opened.stats.ladder({ ...ALL_TIME_QUERY, rivalries })).rivalries,
          expected.rivalries.slice(0, rivalries),
        );
    },
  },
  {
    name: "returns the matches of a ladder in one season, or without seasons",
    async run(store) {
      await playMonths(store, (id) => store.seasons.archive(id, SEASON_CLOSED_AT, []));
      const event = { ladderId: "event", season: null };
      await store.matches.save(sampleRatedGame(10, [2, 1], event));
      const february = await store.stats.ladder({ ...ALL_TIME_QUERY, season: "2026-02" });
      assert.deepEqual(february, {
        totals: { games: 3, draws: 1, voided: 0 },
        players: { bots: 3, wins: 1 },
        house: { bots: 1, wins: 1 },
        maps: [
          { map: "arena", games: 2 },
          { map: "cross", games: 1 },
        ],
        highlights: {
          opener: sampleMatchId(5),
          finale: sampleMatchId(7),
          longest: sampleMatchId(6),
          quickest: sampleMatchId(5),
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
      const { totals, players, maps } = await store.stats.ladder({
        ...ALL_TIME_QUERY,
        ladderId: "event",
      });
      assert.deepEqual(totals, { games: 1, draws: 0, voided: 0 });
      assert.deepEqual(players, { bots: 2, wins: 1 });
      assert.deepEqual(maps, [{ map: "arena", games: 1 }]);
      const emptyStats = await store.stats.ladder({ ...ALL_TIME_QUERY, season: "2020-01" });
      assert.deepEqual(emptyStats, {
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
