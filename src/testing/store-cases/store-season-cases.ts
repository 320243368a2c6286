import assert from "node:assert/strict";

// What the store must do with seasons, and with what it sums up in each.
import { bothOf } from "#base/units/sure.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import { seatFigures } from "#core/ladder/seat-figures.ts";
import type { SeatFigures } from "#core/ladder/seat-figures.ts";
import type { BotId, VersionId } from "#core/words/ids.ts";
import type { SeatRecord } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";

import { matchId, SAMPLE_COMPETITION } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  SAMPLES_MADE,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const LATER = { ladderId: "public", season: "2026-02" };
const LIST = { ladderId: "public", limit: 50, withStats: false };
export const CLOSED = "2026-02-01T00:00:02.000Z";

function samplePlace(rank: number, changes: Partial<FinalStanding> = {}): FinalStanding {
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

export async function openMonth(store: Store, id: string): Promise<void> {
  await store.seasons.open([{ ...windowOfMonth(id), archivedAt: null }]);
}

/** A match of two sample players, won by the first unless changed. */
export function game(number: number, players: [number, number], changes: MatchChanges = {}) {
  const seats = players.map((player, seat) => sampleSeat(player, { fighter: "AB"[seat]! }));
  return sampleMatch(number, { seats, winnerBotId: sampleId("bot", players[0]), ...changes });
}

const rowCases: Case[] = [
  {
    name: "is made with its first month open and an empty preseason",
    async run(store) {
      const { opensAt, closesAt } = windowOfMonth("2026-01");
      assert.deepEqual(await store.seasons.list(), [
        { id: "2026-01", opensAt, closesAt, archivedAt: null },
        { id: "preseason", opensAt, closesAt: opensAt, archivedAt: SAMPLES_MADE },
      ]);
      assert.deepEqual(await store.seasons.standings("preseason"), []);
    },
  },
  {
    name: "opens each season once and gives them newest first",
    async run(store, reopen) {
      await openMonth(store, "2026-03");
      await openMonth(store, "2026-02");
      await store.seasons.archive("2026-02", CLOSED, []);
      await openMonth(store, "2026-02");
      const opened = await reopen();
      const found = (await opened.seasons.list()).map(({ id, archivedAt }) => [id, archivedAt]);
      assert.deepEqual(found, [
        ["2026-03", null],
        ["2026-02", CLOSED],
        ["2026-01", null],
        ["preseason", SAMPLES_MADE],
      ]);
    },
  },
  {
    name: "T46 writes the final standings of a season once, to the last digit",
    async run(store, reopen) {
      await addSamplePlayers(store, 4);
      const places = [3, 1, 2].map((rank) => samplePlace(rank));
      assert.equal(await store.seasons.archive("2026-01", CLOSED, places), true);
      const expected = [1, 2, 3].map((rank) => {
        const place = samplePlace(rank);
        return { ...place, ownerId: `anon:${place.owner.toLowerCase()}`, ownerBanned: false };
      });
      assert.deepEqual(await store.seasons.standings("2026-01"), expected);
      const other = [samplePlace(1, { rating: 9000 })];
      assert.equal(await store.seasons.archive("2026-01", sampleTime(9), other), false);
      assert.equal(await store.seasons.archive("2030-01", CLOSED, other), false);
      const opened = await reopen();
      assert.deepEqual(await opened.seasons.standings("2026-01"), expected);
      assert.equal((await opened.seasons.list())[0]?.archivedAt, CLOSED);
      assert.deepEqual(await opened.seasons.standings("2026-02"), []);
    },
  },
  {
    name: "gives a bot's final places newest season first",
    async run(store) {
      await openMonth(store, "2026-02");
      await store.seasons.archive("2026-01", CLOSED, [samplePlace(1), samplePlace(2)]);
      const second = { ...samplePlace(2), botId: sampleId("bot", 1) };
      await store.seasons.archive("2026-02", CLOSED, [second]);
      assert.deepEqual(await store.seasons.placesOf(sampleId("bot", 1)), [
        { season: "2026-02", ...second },
        { season: "2026-01", ...samplePlace(1) },
      ]);
      assert.deepEqual(await store.seasons.placesOf(sampleId("bot", 7)), []);
    },
  },
];

const scopeCases: Case[] = [
  {
    name: "counts each season apart, and a ladder's matches over all of them",
    async run(store) {
      await addSamplePlayers(store, 2);
      await openMonth(store, "2026-02");
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2));
      await store.matches.save(sampleMatch(3, { season: "2026-02", winnerBotId: null }));
      await store.matches.save(sampleMatch(4, { ladderId: "event", season: null }));
      const results = async (of: typeof LATER) =>
        (await store.figures.pairs(of)).map(({ wins, draws, losses }) => [wins, draws, losses]);
      assert.deepEqual(await results(SAMPLE_COMPETITION), [[2, 0, 0]]);
      assert.deepEqual(await results(LATER), [[0, 1, 0]]);
      const balances = async (of: typeof LATER) =>
        (await store.figures.activity(of)).map(({ lastMatchId, seatBalance }) => [
          lastMatchId,
          seatBalance,
        ]);
      assert.deepEqual((await balances(SAMPLE_COMPETITION))[0], [matchId(2), 2]);
      assert.deepEqual((await balances(LATER))[0], [matchId(3), 1]);
      assert.deepEqual(await store.matches.counts("public"), { games: 3, voided: 0 });
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "lists a ladder's and a bot's matches of one season, also page by page",
    async run(store) {
      await addSamplePlayers(store, 3);
      for (const number of [0, 1, 2, 3, 4, 5])
        await store.matches.save(
          game(number, [0, 1 + (number % 2)], { season: number < 3 ? "2026-01" : "2026-02" }),
        );
      const ids = async (query: object) =>
        (await store.matches.list({ ...LIST, ...query }))?.map(({ id }) => id);
      assert.deepEqual(await ids({ season: "2026-01" }), [2, 1, 0].map(matchId));
      assert.deepEqual(await ids({ season: "2026-02", before: matchId(4) }), [matchId(3)]);
      const february = { season: "2026-02", limit: 2 };
      assert.deepEqual(await ids({ ...february, after: matchId(1) }), [4, 3].map(matchId));
      assert.deepEqual(await ids({ ...february, after: matchId(3) }), [5, 4].map(matchId));
      assert.deepEqual(await ids({ season: "2026-01", after: matchId(3) }), []);
      const botId = sampleId("bot", 1);
      assert.deepEqual(await ids({ season: "2026-01", botId }), [2, 0].map(matchId));
      assert.deepEqual(await ids({ season: "2026-03" }), []);
      assert.equal((await store.matches.byId(matchId(5)))?.season, "2026-02");
    },
  },
];

const figureCases: Case[] = [
  {
    name: "has no rivalry of which one side took less than a game in four",
    async run(store) {
      await addSamplePlayers(store, 3);
      const first = { winnerBotId: sampleId("bot", 0) };
      const other = (number: number) => ({ winnerBotId: sampleId("bot", number) });
      await store.matches.save(game(1, [0, 1], other(1)));
      await store.matches.save(game(2, [0, 2], other(2)));
      for (const number of [3, 4, 5]) await store.matches.save(game(number, [0, 1], first));
      for (const number of [6, 7, 8, 9]) await store.matches.save(game(number, [0, 2], first));
      const { rivalries } = await store.figures.competition(SAMPLE_COMPETITION, 9);
      const found = rivalries.map(({ botIds, wins, losses }) => [botIds[1], wins, losses]);
      assert.deepEqual(found, [[sampleId("bot", 1), 3, 1]]);
    },
  },
  {
    name: "adds up one version's results by opponent, over all versions of that",
    async run(store) {
      await addSamplePlayers(store, 3);
      const [bot, other] = bothOf([0, 1].map((number) => sampleId("bot", number)));
      const newer = sampleVersion(8, { botId: bot, label: "newer" });
      const newest = sampleVersion(9, { botId: other, label: "newest" });
      for (const version of [newer, newest]) await store.versions.add(version, null);
      const seat = (number: number, fighter: string, version = sampleVersion(number)) =>
        sampleSeat(number, { fighter, versionId: version.id });
      const met = (at: number, seats: SeatRecord[], winnerBotId: BotId | null) =>
        store.matches.save(sampleMatch(at, { seats, winnerBotId }));
      await met(1, [seat(0, "A", newer), seat(1, "B")], bot);
      await met(2, [seat(1, "A", newest), seat(0, "B", newer)], other);
      await met(3, [seat(0, "A", newer), seat(1, "B", newest)], null);
      await met(4, [seat(0, "A"), seat(1, "B")], bot);
      await met(5, [seat(0, "A", newer), seat(2, "B")], bot);
      const of = (versionId: VersionId) =>
        store.figures.opponents(bot, SAMPLE_COMPETITION, versionId);
      assert.deepEqual(await of(newer.id), [
        { opponentId: other, wins: 1, draws: 1, losses: 1 },
        { opponentId: sampleId("bot", 2), wins: 1, draws: 0, losses: 0 },
      ]);
      const [first] = await of(sampleId("version", 0));
      assert.deepEqual(first, { opponentId: other, wins: 1, draws: 0, losses: 0 });
      assert.deepEqual(await store.figures.opponents(bot, LATER, newer.id), []);
    },
  },
  {
    name: "adds up results by opponent, the best rivalries and results by map",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.bots.add(sampleBot(3, { house: true }), "hash-3", null);
      await store.versions.add(sampleVersion(3), null);
      const lost = (number: number) => ({ winnerBotId: sampleId("bot", number) });
      await store.matches.save(game(1, [0, 1]));
      await store.matches.save(game(2, [0, 1], { ...lost(1), map: "cross" }));
      await store.matches.save(game(3, [0, 2], { winnerBotId: null }));
      await store.matches.save(game(4, [2, 1]));
      await store.matches.save(game(5, [3, 0]));
      await store.matches.save(game(6, [0, 3]));
      await store.matches.save(game(7, [0, 2], { rated: false }));
      assert.deepEqual(await store.figures.opponents(sampleId("bot", 0), SAMPLE_COMPETITION), [
        { opponentId: sampleId("bot", 1), wins: 1, draws: 0, losses: 1 },
        { opponentId: sampleId("bot", 2), wins: 0, draws: 1, losses: 0 },
        { opponentId: sampleId("bot", 3), wins: 1, draws: 0, losses: 1 },
      ]);
      const { rivalries, maps, totals } = await store.figures.competition(SAMPLE_COMPETITION, 2);
      const pairs = rivalries.map(({ botIds, ...results }) => ({ of: botIds.join(), ...results }));
      const of = (one: number, other: number) =>
        [one, other].map((number) => sampleId("bot", number)).join();
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
    name: "adds up what bots do in their matches",
    async run(store) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2));
      await store.matches.save(sampleMatch(3, { stats: null }));
      await store.matches.save(sampleMatch(4, { voided: true, rated: false }));
      const { play, weapons, totals } = await store.figures.competition(SAMPLE_COMPETITION, 2);
      const [first, second] = [1, 2].map((number) => seatFigures(sampleMatch(number).stats)[0]!);
      const sum = (read: (one: SeatFigures) => number) => read(first!) + read(second!);
      assert.deepEqual(play[0], {
        botId: sampleId("bot", 0),
        games: 2,
        ticks: 120,
        zoneDamage: 0,
        moves: sum((one) => one.moves),
        dashes: 3,
        damageDealt: 103,
        damageTaken: 60,
        uses: sum((one) => one.uses),
        hits: sum((one) => one.hits),
        healed: 3,
        wallSlams: 1,
        idles: 5,
      });
      assert.deepEqual(weapons[1], {
        botId: sampleId("bot", 0),
        attack: "bolt",
        uses: sum((one) => one.weapons.bolt!.uses),
        hits: sum((one) => one.weapons.bolt!.hits),
        damage: sum((one) => one.weapons.bolt!.damage),
      });
      assert.deepEqual(totals, { games: 3, draws: 0, voided: 1, statsGames: 2 });
    },
  },
  {
    name: "keeps the matches that stand out",
    async run(store) {
      await addSamplePlayers(store, 2);
      const moved = (before: [number, number], after: [number, number]) => ({
        settled: true,
        seats: [0, 1].map((seat) =>
          sampleSeat(seat, { ratingBefore: before[seat]!, ratingAfter: after[seat]! }),
        ),
      });
      const timeout = { reason: "timeout_hp" };
      const games: [number, MatchChanges][] = [
        [3, { finalTick: 40, ...moved([1500, 1520], [1510, 1510]) }],
        [1, { finalTick: 300, ...timeout, ...moved([1500, 1900], [1530, 1880]) }],
        [2, { finalTick: 5, ...timeout }],
        [4, { finalTick: 300, ...timeout, ...moved([2000, 1400], [2001, 1350]) }],
        [5, { finalTick: 12, ...moved([1500, 1500], [1500, 1500]), winnerBotId: null }],
        [8, { rated: false, finalTick: 1 }],
        [9, { voided: true, rated: false, finalTick: 900 }],
      ];
      for (const [number, changes] of games) await store.matches.save(sampleMatch(number, changes));
      assert.deepEqual((await store.figures.competition(SAMPLE_COMPETITION, 1)).highlights, {
        opener: matchId(1),
        finale: matchId(5),
        longest: matchId(1),
        quickest: matchId(5),
        swing: matchId(4),
        upset: matchId(1),
      });
      assert.deepEqual((await store.figures.competition(LATER, 1)).highlights, {});
    },
  },
];

const historyCases: Case[] = [
  {
    name: "gives a bot's rated games oldest first, of a season or since an instant",
    async run(store) {
      await addSamplePlayers(store, 3);
      await store.matches.save(game(2, [0, 1], { season: "2026-02" }));
      const seats = [sampleSeat(2), sampleSeat(0, { fighter: "B", deviationAfter: 61.25 })];
      await store.matches.save(sampleMatch(1, { seats, winnerBotId: null, map: "cross" }));
      await store.matches.save(game(3, [1, 0], { season: "2026-02" }));
      const unrated = [0, 1].map((n) => sampleSeat(n, { ratingBefore: null, ratingAfter: null }));
      await store.matches.save(sampleMatch(4, { rated: false, seats: unrated }));
      const query = { ladderId: "public", botId: sampleId("bot", 0), points: 100 };
      const { games, points } = await store.figures.ratings(query);
      assert.equal(games, 3);
      const seen = points.map(({ matchId: id, result, opponent, opponentVersion }) => {
        return [id, result, opponent, opponentVersion];
      });
      assert.deepEqual(seen, [
        [matchId(1), "D", "Bot-2", "v2"],
        [matchId(2), "W", "Bot-1", "v1"],
        [matchId(3), "L", "Bot-1", "v1"],
      ]);
      assert.deepEqual(points[0], {
        matchId: matchId(1),
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
      assert.equal((await store.figures.ratings({ ...query, season: "2026-02" })).games, 2);
      assert.equal((await store.figures.ratings({ ...query, since: sampleTime(63) })).games, 1);
      assert.deepEqual(await store.figures.ratings({ ...query, season: "2030-01" }), {
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
          const own = sampleSeat(0, { versionId: sampleId("version", versionAt(number)) });
          const seats = [own, sampleSeat(1, { fighter: "B" })];
          return store.matches.save(sampleMatch(number, { seats }));
        }),
      );
      const { games, points } = await store.figures.ratings({
        ladderId: "public",
        botId: sampleId("bot", 0),
        points: 16,
      });
      const numbers = points.map(({ matchId: id }) => Number.parseInt(id.slice(-5), 16));
      assert.equal(games, 60);
      assert.ok(points.length <= 16);
      for (const kept of [0, 40, 41, 45, 46, 59]) assert.ok(numbers.includes(kept), `${kept}`);
      assert.deepEqual(numbers, [0, 5, 11, 17, 23, 29, 35, 40, 41, 45, 46, 47, 53, 59]);
    },
  },
];

export const seasonCases: readonly Case[] = [
  ...rowCases,
  ...scopeCases,
  ...figureCases,
  ...historyCases,
];
