import assert from "node:assert/strict";

import type { DailyPlaces } from "#data/store/standings.ts";
import type { LossQuery } from "#data/store/stats.ts";
import type { Store } from "#data/store/store.ts";

import { SAMPLE_COMPETITION } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
  statusChange,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";
import { SEASON_CLOSED_AT, sampleRatedGame, addMonth } from "./store-season-cases.ts";

const botIdOf = (number: number) => sampleId("bot", number);
const winnerFields = (number: number) => ({ winnerBotId: botIdOf(number) });
const DRAWN_FIELDS = { winnerBotId: null };

const playedCases: StoreCase[] = [
  {
    name: "returns a bot's play in a competition, and the pace of all its bots",
    async run(store) {
      await addSamplePlayers(store, 3);
      const save = (number: number, players: [number, number], changes: MatchChanges = {}) =>
        store.matches.save(sampleRatedGame(number, players, changes));
      await save(1, [0, 1]);
      await save(2, [1, 2]);
      await save(3, [0, 2], { voided: true, rated: false });
      await save(4, [0, 2], { stats: null });
      await save(5, [1, 0], { ladderId: "event", season: null });
      const { play, weapons } = await store.stats.competition(SAMPLE_COMPETITION, 9);
      assert.equal(play.length, 3);
      const sum = (pick: (row: (typeof play)[number]) => number) =>
        play.reduce((total, row) => total + pick(row), 0);
      const allPace = {
        ticks: sum(({ ticks }) => ticks),
        uses: sum(({ uses }) => uses),
        moves: sum(({ moves }) => moves),
        dashes: sum(({ dashes }) => dashes),
      };
      assert.ok(allPace.ticks > 0 && allPace.uses > 0);
      for (const player of [0, 1, 2]) {
        const botId = botIdOf(player);
        const botRow = play.find((row) => row.botId === botId)!;
        assert.deepEqual(await store.stats.play(SAMPLE_COMPETITION, botId), {
          play: botRow,
          weapons: weapons.filter((row) => row.botId === botId),
          competitionPace: allPace,
        });
        assert.equal(botRow.games, player === 1 ? 2 : 1);
      }
      const event = { ladderId: "event", season: null };
      assert.equal((await store.stats.play(event, botIdOf(0))).play?.games, 1);
      const noPlay = await store.stats.play({ ladderId: "empty", season: null }, botIdOf(0));
      assert.deepEqual(noPlay, {
        play: null,
        weapons: [],
        competitionPace: { ticks: 0, uses: 0, moves: 0, dashes: 0 },
      });
    },
  },
  {
    name: "returns a bot's record by map, of one season, of all, or of a ladder without seasons",
    async run(store) {
      await addSamplePlayers(store, 3);
      const save = (number: number, players: [number, number], changes: MatchChanges) =>
        store.matches.save(sampleRatedGame(number, players, changes));
      await save(1, [0, 1], { map: "cross" });
      await save(2, [1, 0], { map: "ring", ...DRAWN_FIELDS });
      await save(3, [2, 0], { map: "ring" });
      await save(4, [1, 2], { map: "cross" });
      await addMonth(store, "2026-02");
      const february = { season: "2026-02", map: "cross" };
      await save(5, [1, 0], february);
      await save(6, [0, 2], { ...february, map: "maze", rated: false });
      await save(7, [0, 1], { ladderId: "event", season: null });
      const pick = { ladderId: "public", botId: botIdOf(0) };
      const allPace = [
        { map: "cross", wins: 1, draws: 0, losses: 1 },
        { map: "ring", wins: 0, draws: 1, losses: 1 },
      ];
      assert.deepEqual(await store.stats.maps(pick), allPace);
      await store.seasons.archive("2026-01", SEASON_CLOSED_AT, []);
      assert.deepEqual(await store.stats.maps(pick), allPace);
      assert.deepEqual(await store.stats.maps({ ...pick, season: "2026-01" }), [
        { map: "ring", wins: 0, draws: 1, losses: 1 },
        { map: "cross", wins: 1, draws: 0, losses: 0 },
      ]);
      assert.deepEqual(await store.stats.maps({ ladderId: "event", botId: botIdOf(0) }), [
        { map: "arena", wins: 1, draws: 0, losses: 0 },
      ]);
      assert.deepEqual(await store.stats.maps({ ...pick, season: "2030-01" }), []);
    },
  },
  {
    name: "returns a bot's record against the opponents in its newest matches",
    async run(store) {
      await addSamplePlayers(store, 4);
      await store.matches.save(sampleRatedGame(1, [0, 3]));
      await store.matches.save(sampleRatedGame(2, [0, 1]));
      await store.matches.save(sampleRatedGame(3, [1, 0]));
      await store.matches.save(sampleRatedGame(4, [2, 0], { ...DRAWN_FIELDS, season: "2026-02" }));
      await store.matches.save(sampleRatedGame(5, [1, 0], { voided: true, rated: false }));
      await store.matches.save(sampleRatedGame(6, [1, 2]));
      await store.matches.save(sampleRatedGame(7, [0, 1], { ladderId: "event", season: null }));
      const pick = { ladderId: "public", botId: botIdOf(0), matches: 9, opponents: 9 };
      const opponents = async (changes: object) =>
        (await store.stats.recentOpponents({ ...pick, ...changes })).map(
          ({ opponentId, wins, draws, losses, lastPlayed }) =>
            [opponentId, wins, draws, losses, lastPlayed] as const,
        );
      const last = (number: number) => sampleTime(number + 60);
      const third = [botIdOf(3), 1, 0, 0, last(1)] as const;
      const first = [botIdOf(1), 1, 0, 1, last(3)] as const;
      const second = [botIdOf(2), 0, 1, 0, last(4)] as const;
      assert.deepEqual(await opponents({}), [second, first, third]);
      assert.deepEqual(await opponents({ opponents: 2 }), [second, first]);
      assert.deepEqual(await opponents({ matches: 3 }), [second, [botIdOf(1), 0, 0, 1, last(3)]]);
      assert.deepEqual(await opponents({ season: "2026-01" }), [first, third]);
      assert.deepEqual(await opponents({ season: "2030-01" }), []);
    },
  },
];

/** Returns statistics in which the first seat dealt `boltDamage` and took 10 damage from bolts. */
const boltStats = (boltDamage: number) =>
  JSON.stringify({
    stats_version: 2,
    fighters: [
      { dealt_by_source: { bolt: boltDamage }, taken_by_source: { bolt: 10 } },
      { dealt_by_source: { bolt: 10 }, taken_by_source: { bolt: boltDamage } },
    ],
  });

const LOSS_QUERY: LossQuery = {
  ...SAMPLE_COMPETITION,
  botId: botIdOf(0),
  versionId: sampleId("version", 0),
  before: null,
  games: 99,
  losses: 99,
};

/**
 * Plays matches with bot 0. Its first version lost matches 1, 2, 4, 6 and 7. Match 7 has no
 * statistics.
 */
async function playLosses(store: Store): Promise<void> {
  await addSamplePlayers(store, 3);
  const newerLosses = sampleVersion(8, { botId: botIdOf(0), label: "newer" });
  await store.versions.add(newerLosses, null);
  const save = (number: number, players: [number, number], changes: MatchChanges) =>
    store.matches.save(
      sampleRatedGame(number, players, { stats: boltStats(number), map: "ring", ...changes }),
    );
  await save(1, [0, 1], winnerFields(1));
  await save(2, [1, 0], { ...winnerFields(1), map: "cross" });
  await save(3, [0, 1], winnerFields(0));
  await save(4, [0, 2], winnerFields(2));
  await save(5, [0, 2], DRAWN_FIELDS);
  await save(6, [0, 1], winnerFields(1));
  await save(7, [0, 1], { ...winnerFields(1), stats: null });
  await save(8, [0, 1], { voided: true, rated: false });
  await save(9, [0, 1], { ...winnerFields(1), season: "2026-02" });
  const seats = [sampleSeat(0, { versionId: newerLosses.id }), sampleSeat(1, { fighter: "B" })];
  await store.matches.save(sampleMatch(10, { seats, ...winnerFields(1) }));
}

const lossCases: StoreCase[] = [
  {
    name: "sums the damage that a version dealt and took in lost games",
    async run(store) {
      await playLosses(store);
      const { damage, opponents, maps, ...rest } = await store.stats.losses(LOSS_QUERY);
      assert.deepEqual(rest, { games: 7, lost: 4, nextCursor: null });
      assert.deepEqual(damage.bolt, { dealt: 1 + 10 + 4 + 6, taken: 10 + 2 + 10 + 10 });
      assert.deepEqual(damage.zone, { dealt: 0, taken: 0 });
      assert.deepEqual(opponents, [
        { botId: botIdOf(1), games: 3 },
        { botId: botIdOf(2), games: 1 },
      ]);
      assert.deepEqual(maps, [
        { map: "ring", games: 6, lost: 3 },
        { map: "cross", games: 1, lost: 1 },
      ]);
    },
  },
  {
    name: "pages through lost games and reads each once, whatever the page size",
    async run(store) {
      await playLosses(store);
      for (const [games, losses] of [
        [1, 1],
        [2, 9],
        [9, 1],
        [3, 2],
      ] as const) {
        const sums = { games: 0, lost: 0, dealt: 0 };
        let { before } = LOSS_QUERY;
        for (let remaining = 20; remaining > 0; remaining -= 1) {
          const portion = await store.stats.losses({ ...LOSS_QUERY, before, games, losses });
          assert.ok(portion.games <= games && portion.lost <= losses);
          sums.games += portion.games;
          sums.lost += portion.lost;
          sums.dealt += portion.damage.bolt.dealt;
          before = portion.nextCursor;
          if (before === null) break;
        }
        assert.equal(before, null);
        assert.deepEqual(sums, { games: 7, lost: 4, dealt: 21 }, `${games} ${losses}`);
      }
      const noPlay = await store.stats.losses({ ...LOSS_QUERY, season: "2030-01" });
      assert.deepEqual([noPlay.games, noPlay.maps, noPlay.nextCursor], [0, [], null]);
    },
  },
];

const searchCases: StoreCase[] = [
  {
    name: "finds bots and owners by part of their name, prefixes first",
    async run(store) {
      const add = (number: number, name: string, owner: string) =>
        store.bots.add(sampleBot(number, { name, owner }), `hash-${number}`, null);
      await add(0, "My_Rex", "Größe");
      await add(1, "rexona", "ADA");
      await add(2, "REX", "rex & co");
      await add(3, "T-Rex", "ada");
      await add(4, "Mystery", "Ada%Lab");
      await add(5, "exrex", "eve");
      await store.bots.setStatus(botIdOf(5), statusChange("banned"));
      await store.bots.setStatus(botIdOf(3), statusChange("retired"));
      const search = async (text: string, limit = 9) => {
        const { bots, owners } = await store.bots.search(text, limit);
        return [bots.map(({ name }) => name), owners.map(({ owner }) => owner)];
      };
      assert.deepEqual(await search("rex"), [["REX", "rexona", "My_Rex", "T-Rex"], ["rex & co"]]);
      assert.deepEqual(await search("rex", 2), [["REX", "rexona"], ["rex & co"]]);
      assert.deepEqual(await search("y_"), [["My_Rex"], []]);
      assert.deepEqual(await search("%"), [[], ["Ada%Lab"]]);
      assert.deepEqual(await search("!"), [[], []]);
      assert.deepEqual(await search("röß"), [[], ["Größe"]]);
      assert.deepEqual(await search("eve"), [[], []]);
      assert.deepEqual((await search("ada"))[1], ["ADA", "Ada%Lab"]);
      assert.deepEqual((await search("ada", 1))[1], ["ADA"]);
    },
  },
  {
    name: "returns the winner of each archived season",
    async run(store) {
      await addSamplePlayers(store, 2);
      await addMonth(store, "2026-02");
      assert.deepEqual(await store.seasons.champions(), []);
      const place = (rank: number, player: number) => {
        const { id: botId, name, owner, house } = sampleBot(player);
        const results = { wins: 3, draws: 2, losses: 1, rating: 1500.25, deviation: 40.5 };
        const versionId = sampleId("version", player);
        return { rank, botId, versionId, name, owner, house, label: `v${player}`, ...results };
      };
      await store.seasons.archive("2026-01", SEASON_CLOSED_AT, [place(1, 0), place(2, 1)]);
      await store.seasons.archive("2026-02", SEASON_CLOSED_AT, [place(1, 1), place(2, 0)]);
      assert.deepEqual(await store.seasons.champions(), [
        { season: "2026-02", ...place(1, 1) },
        { season: "2026-01", ...place(1, 0) },
      ]);
    },
  },
];

const samplePlaces = (day: string, changes: Partial<DailyPlaces> = {}): DailyPlaces => ({
  ...SAMPLE_COMPETITION,
  day,
  notedAt: `${day}T00:00:01.250Z`,
  botIds: [2, 0, 1].map(botIdOf),
  ...changes,
});

const placeCases: StoreCase[] = [
  {
    name: "records the places of a day once, and returns those of the latest day",
    async run(store, reopen) {
      assert.equal(await store.standings.latest("public"), null);
      assert.equal(await store.standings.record(samplePlaces("2026-01-05"), "2025-12-01"), true);
      const event = samplePlaces("2026-01-07", { ladderId: "event", season: null, botIds: [] });
      assert.equal(await store.standings.record(event, "2025-12-01"), true);
      const otherPlaces = samplePlaces("2026-01-05", { botIds: [botIdOf(1)] });
      assert.equal(await store.standings.record(otherPlaces, "2025-12-01"), false);
      const opened = await reopen();
      assert.deepEqual(await opened.standings.latest("public"), samplePlaces("2026-01-05"));
      assert.deepEqual(await opened.standings.latest("event"), event);
      await opened.standings.record(
        samplePlaces("2026-01-06", { botIds: [botIdOf(1)] }),
        "2025-12-01",
      );
      assert.deepEqual((await opened.standings.latest("public"))?.botIds, [botIdOf(1)]);
    },
  },
  {
    name: "deletes places of old days, and of days recorded while the clock was ahead",
    async run(store) {
      for (const day of ["2026-01-05", "2026-01-06", "2026-03-01"])
        await store.standings.record(samplePlaces(day), "2025-12-01");
      await store.standings.record(samplePlaces("2026-01-07"), "2026-01-06");
      assert.equal((await store.standings.latest("public"))?.day, "2026-01-07");
      assert.equal(await store.standings.record(samplePlaces("2026-01-06"), "2026-01-06"), true);
      assert.equal(await store.standings.record(samplePlaces("2026-01-06"), "2026-01-06"), false);
      assert.equal((await store.standings.latest("public"))?.day, "2026-01-06");
      assert.equal(await store.standings.record(samplePlaces("2026-01-05"), "2026-01-05"), true);
    },
  },
];

export const recordCases: readonly StoreCase[] = [
  ...playedCases,
  ...lossCases,
  ...searchCases,
  ...placeCases,
];
