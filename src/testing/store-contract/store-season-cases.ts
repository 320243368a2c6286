import assert from "node:assert/strict";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { BotId, VersionId } from "#core/ids/ids.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import type { SeatStats } from "#core/ladder/seat-stats.ts";
import type { SeatRecord } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";

import { sampleMatchId, SAMPLE_COMPETITION } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLES_CREATED_AT,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const LATER_COMPETITION = { ladderId: "public", season: "2026-02" };
const LIST_QUERY = { ladderId: "public", limit: 50, withStats: false };
export const SEASON_CLOSED_AT = "2026-02-01T00:00:02.000Z";

function sampleStanding(rank: number, changes: Partial<FinalStanding> = {}): FinalStanding {
  return {
    rank,
    botId: sampleId("bot", rank),
    versionId: sampleId("version", rank),
    name: `Bot-${rank}`,
    owner: `Owner-${rank}`,
    house: rank === 2,
    label: `v${rank}`,
    rating: 1500 + 100 / (3 * rank),
    deviation: Math.sqrt(700 * rank),
    wins: 20,
    draws: 4,
    losses: rank,
    ...changes,
  };
}

export async function addMonth(store: Store, id: string): Promise<void> {
  await store.seasons.open([{ ...windowOfMonth(id), archivedAt: null }]);
}

/**
 * Returns a match between two sample players. The first player wins unless `changes` says
 * otherwise.
 */
export function sampleRatedGame(
  number: number,
  players: [number, number],
  changes: MatchChanges = {},
) {
  const seats = players.map((player, seat) => sampleSeat(player, { fighter: "AB"[seat]! }));
  return sampleMatch(number, { seats, winnerBotId: sampleId("bot", players[0]), ...changes });
}

const rowCases: StoreCase[] = [
  {
    name: "is created with its first month open and an empty preseason",
    async run(store) {
      const { opensAt, closesAt } = windowOfMonth("2026-01");
      assert.deepEqual(await store.seasons.list(), [
        { id: "2026-01", opensAt, closesAt, archivedAt: null },
        { id: "preseason", opensAt, closesAt: opensAt, archivedAt: SAMPLES_CREATED_AT },
      ]);
      assert.deepEqual(await store.seasons.standings("preseason"), []);
    },
  },
  {
    name: "opens each season once and lists them newest first",
    async run(store, reopen) {
      await addMonth(store, "2026-03");
      await addMonth(store, "2026-02");
      await store.seasons.archive("2026-02", SEASON_CLOSED_AT, []);
      await addMonth(store, "2026-02");
      const opened = await reopen();
      const seasonStates = (await opened.seasons.list()).map(({ id, archivedAt }) => [
        id,
        archivedAt,
      ]);
      assert.deepEqual(seasonStates, [
        ["2026-03", null],
        ["2026-02", SEASON_CLOSED_AT],
        ["2026-01", null],
        ["preseason", SAMPLES_CREATED_AT],
      ]);
    },
  },
  {
    name: "T46 writes the final standings of a season once, with full precision",
    async run(store, reopen) {
      await addSamplePlayers(store, 4);
      const places = [3, 1, 2].map((rank) => sampleStanding(rank));
      assert.equal(await store.seasons.archive("2026-01", SEASON_CLOSED_AT, places), true);
      const expected = [1, 2, 3].map((rank) => {
        const place = sampleStanding(rank);
        return { ...place, ownerId: `anon:${place.owner.toLowerCase()}`, ownerBanned: false };
      });
      assert.deepEqual(await store.seasons.standings("2026-01"), expected);
      const otherStandings = [sampleStanding(1, { rating: 9000 })];
      assert.equal(await store.seasons.archive("2026-01", sampleTime(9), otherStandings), false);
      assert.equal(await store.seasons.archive("2030-01", SEASON_CLOSED_AT, otherStandings), false);
      const opened = await reopen();
      assert.deepEqual(await opened.seasons.standings("2026-01"), expected);
      assert.equal((await opened.seasons.list())[0]?.archivedAt, SEASON_CLOSED_AT);
      assert.deepEqual(await opened.seasons.standings("2026-02"), []);
    },
  },
  {
    name: "returns a bot's final places newest season first",
    async run(store) {
      await addMonth(store, "2026-02");
      await store.seasons.archive("2026-01", SEASON_CLOSED_AT, [
        sampleStanding(1),
        sampleStanding(2),
      ]);
      const second = { ...sampleStanding(2), botId: sampleId("bot", 1) };
      await store.seasons.archive("2026-02", SEASON_CLOSED_AT, [second]);
      assert.deepEqual(await store.seasons.placesOf(sampleId("bot", 1)), [
        { season: "2026-02", ...second },
        { season: "2026-01", ...sampleStanding(1) },
      ]);
      assert.deepEqual(await store.seasons.placesOf(sampleId("bot", 7)), []);
    },
  },
];

const scopeCases: StoreCase[] = [
  {
    name: "counts each season separately, and a ladder's matches over all of them",
    async run(store) {
      await addSamplePlayers(store, 2);
      await addMonth(store, "2026-02");
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2));
      await store.matches.save(sampleMatch(3, { season: "2026-02", winnerBotId: null }));
      await store.matches.save(sampleMatch(4, { ladderId: "event", season: null }));
      const results = async (competition: typeof LATER_COMPETITION) =>
        (await store.stats.pairs(competition)).map(({ wins, draws, losses }) => [
          wins,
          draws,
          losses,
        ]);
      assert.deepEqual(await results(SAMPLE_COMPETITION), [[2, 0, 0]]);
      assert.deepEqual(await results(LATER_COMPETITION), [[0, 1, 0]]);
      const seatBalances = async (competition: typeof LATER_COMPETITION) =>
        (await store.stats.activity(competition)).map(({ lastMatchId, seatBalance }) => [
          lastMatchId,
          seatBalance,
        ]);
      assert.deepEqual((await seatBalances(SAMPLE_COMPETITION))[0], [sampleMatchId(2), 2]);
      assert.deepEqual((await seatBalances(LATER_COMPETITION))[0], [sampleMatchId(3), 1]);
      assert.deepEqual(await store.matches.counts("public"), { games: 3, voided: 0 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "lists a ladder's and a bot's matches of one season, page by page too",
    async run(store) {
      await addSamplePlayers(store, 3);
      for (const number of [0, 1, 2, 3, 4, 5])
        await store.matches.save(
          sampleRatedGame(number, [0, 1 + (number % 2)], {
            season: number < 3 ? "2026-01" : "2026-02",
          }),
        );
      const ids = async (query: object) =>
        (await store.matches.list({ ...LIST_QUERY, ...query }))?.map(({ id }) => id);
      assert.deepEqual(await ids({ season: "2026-01" }), [2, 1, 0].map(sampleMatchId));
      assert.deepEqual(await ids({ season: "2026-02", before: sampleMatchId(4) }), [
        sampleMatchId(3),
      ]);
      const february = { season: "2026-02", limit: 2 };
      assert.deepEqual(
        await ids({ ...february, after: sampleMatchId(1) }),
        [4, 3].map(sampleMatchId),
      );
      assert.deepEqual(
        await ids({ ...february, after: sampleMatchId(3) }),
        [5, 4].map(sampleMatchId),
      );
      assert.deepEqual(await ids({ season: "2026-01", after: sampleMatchId(3) }), []);
      const botId = sampleId("bot", 1);
      assert.deepEqual(await ids({ season: "2026-01", botId }), [2, 0].map(sampleMatchId));
      assert.deepEqual(await ids({ season: "2026-03" }), []);
      assert.equal((await store.matches.byId(sampleMatchId(5)))?.season, "2026-02");
    },
  },
];

const statsCases: StoreCase[] = [
  {
    name: "has no rivalry if one side took less than a quarter of the games",
    async run(store) {
      await addSamplePlayers(store, 3);
      const first = { winnerBotId: sampleId("bot", 0) };
      const otherBot = (number: number) => ({ winnerBotId: sampleId("bot", number) });
      await store.matches.save(sampleRatedGame(1, [0, 1], otherBot(1)));
      await store.matches.save(sampleRatedGame(2, [0, 2], otherBot(2)));
      for (const number of [3, 4, 5])
        await store.matches.save(sampleRatedGame(number, [0, 1], first));
      for (const number of [6, 7, 8, 9])
        await store.matches.save(sampleRatedGame(number, [0, 2], first));
      const { rivalries } = await store.stats.competition(SAMPLE_COMPETITION, 9);
      const rivalryResults = rivalries.map(({ botIds, wins, losses }) => [botIds[1], wins, losses]);
      assert.deepEqual(rivalryResults, [[sampleId("bot", 1), 3, 1]]);
    },
  },
  {
    name: "sums one version's results by opponent, over all the opponent's versions",
    async run(store) {
      await addSamplePlayers(store, 3);
      const [bot, otherBot] = firstTwo([0, 1].map((number) => sampleId("bot", number)));
      const newer = sampleVersion(8, { botId: bot, label: "newer" });
      const newest = sampleVersion(9, { botId: otherBot, label: "newest" });
      for (const version of [newer, newest]) await store.versions.add(version, null);
      const seat = (number: number, fighter: string, version = sampleVersion(number)) =>
        sampleSeat(number, { fighter, versionId: version.id });
      const opponents = (at: number, seats: SeatRecord[], winnerBotId: BotId | null) =>
        store.matches.save(sampleMatch(at, { seats, winnerBotId }));
      await opponents(1, [seat(0, "A", newer), seat(1, "B")], bot);
      await opponents(2, [seat(1, "A", newest), seat(0, "B", newer)], otherBot);
      await opponents(3, [seat(0, "A", newer), seat(1, "B", newest)], null);
      await opponents(4, [seat(0, "A"), seat(1, "B")], bot);
      await opponents(5, [seat(0, "A", newer), seat(2, "B")], bot);
      const of = (versionId: VersionId) =>
        store.stats.opponents(bot, SAMPLE_COMPETITION, versionId);
      assert.deepEqual(await of(newer.id), [
        { opponentId: otherBot, wins: 1, draws: 1, losses: 1 },
        { opponentId: sampleId("bot", 2), wins: 1, draws: 0, losses: 0 },
      ]);
      const [first] = await of(sampleId("version", 0));
      assert.deepEqual(first, { opponentId: otherBot, wins: 1, draws: 0, losses: 0 });
      assert.deepEqual(await store.stats.opponents(bot, LATER_COMPETITION, newer.id), []);
    },
  },
  {
    name: "sums results by opponent, the top rivalries and results by map",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.bots.add(sampleBot(3, { house: true }), "hash-3", null);
      await store.versions.add(sampleVersion(3), null);
      const losses = (number: number) => ({ winnerBotId: sampleId("bot", number) });
      await store.matches.save(sampleRatedGame(1, [0, 1]));
      await store.matches.save(sampleRatedGame(2, [0, 1], { ...losses(1), map: "cross" }));
      await store.matches.save(sampleRatedGame(3, [0, 2], { winnerBotId: null }));
      await store.matches.save(sampleRatedGame(4, [2, 1]));
      await store.matches.save(sampleRatedGame(5, [3, 0]));
      await store.matches.save(sampleRatedGame(6, [0, 3]));
      await store.matches.save(sampleRatedGame(7, [0, 2], { rated: false }));
      assert.deepEqual(await store.stats.opponents(sampleId("bot", 0), SAMPLE_COMPETITION), [
        { opponentId: sampleId("bot", 1), wins: 1, draws: 0, losses: 1 },
        { opponentId: sampleId("bot", 2), wins: 0, draws: 1, losses: 0 },
        { opponentId: sampleId("bot", 3), wins: 1, draws: 0, losses: 1 },
      ]);
      const { rivalries, maps, totals } = await store.stats.competition(SAMPLE_COMPETITION, 2);
      const pairs = rivalries.map(({ botIds, ...results }) => ({ of: botIds.join(), ...results }));
      const of = (stats: number, otherBot: number) =>
        [stats, otherBot].map((number) => sampleId("bot", number)).join();
      assert.deepEqual(pairs, [
        { of: of(0, 1), wins: 1, draws: 0, losses: 1 },
        { of: of(0, 2), wins: 0, draws: 1, losses: 0 },
      ]);
      assert.deepEqual(maps.slice(0, 2), [
        { botId: sampleId("bot", 0), map: "arena", wins: 2, draws: 1, losses: 1 },
        { botId: sampleId("bot", 0), map: "cross", wins: 0, draws: 0, losses: 1 },
      ]);
      assert.deepEqual(totals, { games: 7, draws: 1, voided: 0, statsGames: 7 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "sums the play of bots in their matches",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2));
      await store.matches.save(sampleMatch(3, { stats: null }));
      await store.matches.save(sampleMatch(4, { voided: true, rated: false }));
      const { play, weapons, totals } = await store.stats.competition(SAMPLE_COMPETITION, 2);
      const [first, second] = [1, 2].map((number) => parseSeatStats(sampleMatch(number).stats)[0]!);
      const sum = (read: (stats: SeatStats) => number) => read(first!) + read(second!);
      assert.deepEqual(play[0], {
        botId: sampleId("bot", 0),
        games: 2,
        ticks: 120,
        zoneDamage: 0,
        moves: sum((stats) => stats.moves),
        dashes: 3,
        damageDealt: 103,
        damageTaken: 60,
        uses: sum((stats) => stats.uses),
        hits: sum((stats) => stats.hits),
        healed: 3,
        wallSlams: 1,
        idles: 5,
      });
      assert.deepEqual(weapons[1], {
        botId: sampleId("bot", 0),
        attack: "bolt",
        uses: sum((stats) => stats.weapons.bolt!.uses),
        hits: sum((stats) => stats.weapons.bolt!.hits),
        damage: sum((stats) => stats.weapons.bolt!.damage),
      });
      assert.deepEqual(totals, { games: 3, draws: 0, voided: 1, statsGames: 2 });
    },
  },
  {
    name: "stores the highlights",
    async run(store) {
      await addSamplePlayers(store, 2);
      const ratingSwing = (before: [number, number], newerPage: [number, number]) => ({
        settled: true,
        seats: [0, 1].map((seat) =>
          sampleSeat(seat, { ratingBefore: before[seat]!, ratingAfter: newerPage[seat]! }),
        ),
      });
      const timeout = { reason: "timeout_hp" };
      const games: [number, MatchChanges][] = [
        [3, { finalTick: 40, ...ratingSwing([1500, 1520], [1510, 1510]) }],
        [1, { finalTick: 300, ...timeout, ...ratingSwing([1500, 1900], [1530, 1880]) }],
        [2, { finalTick: 5, ...timeout }],
        [4, { finalTick: 300, ...timeout, ...ratingSwing([2000, 1400], [2001, 1350]) }],
        [5, { finalTick: 12, ...ratingSwing([1500, 1500], [1500, 1500]), winnerBotId: null }],
        [8, { rated: false, finalTick: 1 }],
        [9, { voided: true, rated: false, finalTick: 900 }],
      ];
      for (const [number, changes] of games) await store.matches.save(sampleMatch(number, changes));
      assert.deepEqual((await store.stats.competition(SAMPLE_COMPETITION, 1)).highlights, {
        opener: sampleMatchId(1),
        finale: sampleMatchId(5),
        longest: sampleMatchId(1),
        quickest: sampleMatchId(5),
        swing: sampleMatchId(4),
        upset: sampleMatchId(1),
      });
      assert.deepEqual((await store.stats.competition(LATER_COMPETITION, 1)).highlights, {});
    },
  },
];

const historyCases: StoreCase[] = [
  {
    name: "returns a bot's rated games oldest first, of a season or since an instant",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(sampleRatedGame(2, [0, 1], { season: "2026-02" }));
      const seats = [sampleSeat(2), sampleSeat(0, { fighter: "B", deviationAfter: 61.25 })];
      await store.matches.save(sampleMatch(1, { seats, winnerBotId: null, map: "cross" }));
      await store.matches.save(sampleRatedGame(3, [1, 0], { season: "2026-02" }));
      const unrated = [0, 1].map((number) =>
        sampleSeat(number, { ratingBefore: null, ratingAfter: null }),
      );
      await store.matches.save(sampleMatch(4, { rated: false, seats: unrated }));
      const query = { ladderId: "public", botId: sampleId("bot", 0), points: 100 };
      const { games, points } = await store.stats.ratings(query);
      assert.equal(games, 3);
      const pointRows = points.map(({ matchId: id, result, opponent, opponentVersion }) => {
        return [id, result, opponent, opponentVersion];
      });
      assert.deepEqual(pointRows, [
        [sampleMatchId(1), "D", "Bot-2", "v2"],
        [sampleMatchId(2), "W", "Bot-1", "v1"],
        [sampleMatchId(3), "L", "Bot-1", "v1"],
      ]);
      assert.deepEqual(points[0], {
        matchId: sampleMatchId(1),
        ended: sampleTime(61),
        map: "cross",
        version: "v0",
        result: "D",
        ratingBefore: 1500,
        ratingAfter: 1508,
        deviationAfter: 61.25,
        opponent: "Bot-2",
        opponentVersion: "v2",
      });
      assert.equal((await store.stats.ratings({ ...query, season: "2026-02" })).games, 2);
      assert.equal((await store.stats.ratings({ ...query, since: sampleTime(63) })).games, 1);
      assert.deepEqual(await store.stats.ratings({ ...query, season: "2030-01" }), {
        games: 0,
        points: [],
      });
    },
  },
  {
    name: "samples a long history evenly and keeps each version's first and last game",
    async run(store) {
      await addSamplePlayers(store, 2);
      for (const label of ["w1", "w2"])
        await store.versions.add(
          sampleVersion(label === "w1" ? 8 : 9, { botId: sampleId("bot", 0), label }),
          null,
        );
      const versionAt = (number: number) => (number < 41 ? 0 : number < 46 ? 8 : 9);
      await Promise.all(
        Array.from({ length: 60 }, (_, number) => {
          const ownSeat = sampleSeat(0, { versionId: sampleId("version", versionAt(number)) });
          const seats = [ownSeat, sampleSeat(1, { fighter: "B" })];
          return store.matches.save(sampleMatch(number, { seats }));
        }),
      );
      const { games, points } = await store.stats.ratings({
        ladderId: "public",
        botId: sampleId("bot", 0),
        points: 16,
      });
      const numbers = points.map(({ matchId: id }) => Number.parseInt(id.slice(-5), 16));
      assert.equal(games, 60);
      assert.ok(points.length <= 16);
      for (const keptIndex of [0, 40, 41, 45, 46, 59])
        assert.ok(numbers.includes(keptIndex), `${keptIndex}`);
      assert.deepEqual(numbers, [0, 5, 11, 17, 23, 29, 35, 40, 41, 45, 46, 47, 53, 59]);
    },
  },
];

export const seasonCases: readonly StoreCase[] = [
  ...rowCases,
  ...scopeCases,
  ...statsCases,
  ...historyCases,
];
