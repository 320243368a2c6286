import assert from "node:assert/strict";

// What the store must tell for a bot's page: its record, what it lost by, whom a search finds.
import type { LossQuery } from "#data/store/figures.ts";
import type { NotedPlaces } from "#data/store/standings.ts";
import type { Store } from "#data/store/store.ts";

import { SAMPLE_COMPETITION } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import {
  addSamplePlayers,
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
  toStatus,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";
import { CLOSED, game, openMonth } from "./store-season-cases.ts";

const bot = (number: number) => sampleId("bot", number);
const wonBy = (number: number) => ({ winnerBotId: bot(number) });
const DRAWN = { winnerBotId: null };

const playedCases: Case[] = [
  {
    name: "gives a bot's play in a competition, and the pace of all its bots",
    async run(store) {
      await addSamplePlayers(store, 3);
      const save = (number: number, players: [number, number], changes: MatchChanges = {}) =>
        store.matches.save(game(number, players, changes));
      await save(1, [0, 1]);
      await save(2, [1, 2]);
      await save(3, [0, 2], { voided: true, rated: false });
      await save(4, [0, 2], { stats: null });
      await save(5, [1, 0], { ladderId: "event", season: null });
      const { play, weapons } = await store.figures.competition(SAMPLE_COMPETITION, 9);
      assert.equal(play.length, 3);
      const sum = (of: (one: (typeof play)[number]) => number) =>
        play.reduce((total, one) => total + of(one), 0);
      const all = {
        ticks: sum(({ ticks }) => ticks),
        uses: sum(({ uses }) => uses),
        moves: sum(({ moves }) => moves),
        dashes: sum(({ dashes }) => dashes),
      };
      assert.ok(all.ticks > 0 && all.uses > 0);
      for (const player of [0, 1, 2]) {
        const botId = bot(player);
        const own = play.find((one) => one.botId === botId)!;
        assert.deepEqual(await store.figures.play(SAMPLE_COMPETITION, botId), {
          play: own,
          weapons: weapons.filter((one) => one.botId === botId),
          all,
        });
        assert.equal(own.games, player === 1 ? 2 : 1);
      }
      const event = { ladderId: "event", season: null };
      assert.equal((await store.figures.play(event, bot(0))).play?.games, 1);
      const none = await store.figures.play({ ladderId: "empty", season: null }, bot(0));
      assert.deepEqual(none, {
        play: null,
        weapons: [],
        all: { ticks: 0, uses: 0, moves: 0, dashes: 0 },
      });
    },
  },
  {
    name: "gives a bot's record by map, of one season, of all, or of a ladder without any",
    async run(store) {
      await addSamplePlayers(store, 3);
      const save = (number: number, players: [number, number], changes: MatchChanges) =>
        store.matches.save(game(number, players, changes));
      await save(1, [0, 1], { map: "cross" });
      await save(2, [1, 0], { map: "ring", ...DRAWN });
      await save(3, [2, 0], { map: "ring" });
      await save(4, [1, 2], { map: "cross" });
      await openMonth(store, "2026-02");
      const february = { season: "2026-02", map: "cross" };
      await save(5, [1, 0], february);
      await save(6, [0, 2], { ...february, map: "maze", rated: false });
      await save(7, [0, 1], { ladderId: "event", season: null });
      const of = { ladderId: "public", botId: bot(0) };
      const all = [
        { map: "cross", wins: 1, draws: 0, losses: 1 },
        { map: "ring", wins: 0, draws: 1, losses: 1 },
      ];
      assert.deepEqual(await store.figures.maps(of), all);
      await store.seasons.archive("2026-01", CLOSED, []);
      assert.deepEqual(await store.figures.maps(of), all);
      assert.deepEqual(await store.figures.maps({ ...of, season: "2026-01" }), [
        { map: "ring", wins: 0, draws: 1, losses: 1 },
        { map: "cross", wins: 1, draws: 0, losses: 0 },
      ]);
      assert.deepEqual(await store.figures.maps({ ladderId: "event", botId: bot(0) }), [
        { map: "arena", wins: 1, draws: 0, losses: 0 },
      ]);
      assert.deepEqual(await store.figures.maps({ ...of, season: "2030-01" }), []);
    },
  },
  {
    name: "gives a bot's record against the opponents in its newest matches",
    async run(store) {
      await addSamplePlayers(store, 4);
      await store.matches.save(game(1, [0, 3]));
      await store.matches.save(game(2, [0, 1]));
      await store.matches.save(game(3, [1, 0]));
      await store.matches.save(game(4, [2, 0], { ...DRAWN, season: "2026-02" }));
      await store.matches.save(game(5, [1, 0], { voided: true, rated: false }));
      await store.matches.save(game(6, [1, 2]));
      await store.matches.save(game(7, [0, 1], { ladderId: "event", season: null }));
      const of = { ladderId: "public", botId: bot(0), matches: 9, opponents: 9 };
      const met = async (changes: object) =>
        (await store.figures.recentOpponents({ ...of, ...changes })).map(
          ({ opponentId, wins, draws, losses, lastPlayed }) =>
            [opponentId, wins, draws, losses, lastPlayed] as const,
        );
      const last = (number: number) => sampleTime(number + 60);
      const third = [bot(3), 1, 0, 0, last(1)] as const;
      const first = [bot(1), 1, 0, 1, last(3)] as const;
      const second = [bot(2), 0, 1, 0, last(4)] as const;
      assert.deepEqual(await met({}), [second, first, third]);
      assert.deepEqual(await met({ opponents: 2 }), [second, first]);
      assert.deepEqual(await met({ matches: 3 }), [second, [bot(1), 0, 0, 1, last(3)]]);
      assert.deepEqual(await met({ season: "2026-01" }), [first, third]);
      assert.deepEqual(await met({ season: "2030-01" }), []);
    },
  },
];

/** A document in which the fighter of the first seat dealt `dealt` and took 10 with bolts. */
const dealtWithBolts = (dealt: number) =>
  JSON.stringify({
    stats_version: 2,
    fighters: [
      { dealt_by_source: { bolt: dealt }, taken_by_source: { bolt: 10 } },
      { dealt_by_source: { bolt: 10 }, taken_by_source: { bolt: dealt } },
    ],
  });

const LOST: LossQuery = {
  ...SAMPLE_COMPETITION,
  botId: bot(0),
  versionId: sampleId("version", 0),
  before: null,
  games: 99,
  losses: 99,
};

/** Games of bot 0: it lost numbers 1, 2, 4, 6 and 7 with its first version; 7 has no statistics. */
async function playLosses(store: Store): Promise<void> {
  await addSamplePlayers(store, 3);
  const newer = sampleVersion(8, { botId: bot(0), label: "newer" });
  await store.versions.add(newer, null);
  const save = (number: number, players: [number, number], changes: MatchChanges) =>
    store.matches.save(
      game(number, players, { stats: dealtWithBolts(number), map: "ring", ...changes }),
    );
  await save(1, [0, 1], wonBy(1));
  await save(2, [1, 0], { ...wonBy(1), map: "cross" });
  await save(3, [0, 1], wonBy(0));
  await save(4, [0, 2], wonBy(2));
  await save(5, [0, 2], DRAWN);
  await save(6, [0, 1], wonBy(1));
  await save(7, [0, 1], { ...wonBy(1), stats: null });
  await save(8, [0, 1], { voided: true, rated: false });
  await save(9, [0, 1], { ...wonBy(1), season: "2026-02" });
  const seats = [sampleSeat(0, { versionId: newer.id }), sampleSeat(1, { fighter: "B" })];
  await store.matches.save(sampleMatch(10, { seats, ...wonBy(1) }));
}

const lossCases: Case[] = [
  {
    name: "adds up what a version dealt and took in its lost games",
    async run(store) {
      await playLosses(store);
      const { damage, opponents, maps, ...rest } = await store.figures.losses(LOST);
      assert.deepEqual(rest, { games: 7, lost: 4, last: null });
      assert.deepEqual(damage.bolt, { dealt: 1 + 10 + 4 + 6, taken: 10 + 2 + 10 + 10 });
      assert.deepEqual(damage.zone, { dealt: 0, taken: 0 });
      assert.deepEqual(opponents, [
        { botId: bot(1), games: 3 },
        { botId: bot(2), games: 1 },
      ]);
      assert.deepEqual(maps, [
        { map: "ring", games: 6, lost: 3 },
        { map: "cross", games: 1, lost: 1 },
      ]);
    },
  },
  {
    name: "goes through lost games in portions, however they are cut, and reads each once",
    async run(store) {
      await playLosses(store);
      for (const [games, losses] of [
        [1, 1],
        [2, 9],
        [9, 1],
        [3, 2],
      ] as const) {
        const sums = { games: 0, lost: 0, dealt: 0 };
        let { before } = LOST;
        for (let left = 20; left > 0; left -= 1) {
          const portion = await store.figures.losses({ ...LOST, before, games, losses });
          assert.ok(portion.games <= games && portion.lost <= losses);
          sums.games += portion.games;
          sums.lost += portion.lost;
          sums.dealt += portion.damage.bolt.dealt;
          before = portion.last;
          if (before === null) break;
        }
        assert.equal(before, null);
        assert.deepEqual(sums, { games: 7, lost: 4, dealt: 21 }, `${games} ${losses}`);
      }
      const none = await store.figures.losses({ ...LOST, season: "2030-01" });
      assert.deepEqual([none.games, none.maps, none.last], [0, [], null]);
    },
  },
];

const searchCases: Case[] = [
  {
    name: "finds bots and owners by a part of their name, beginnings first",
    async run(store) {
      const add = (number: number, name: string, owner: string) =>
        store.bots.add(sampleBot(number, { name, owner }), `hash-${number}`, null);
      await add(0, "My_Rex", "Größe");
      await add(1, "rexona", "ADA");
      await add(2, "REX", "rex & co");
      await add(3, "T-Rex", "ada");
      await add(4, "Mystery", "Ada%Lab");
      await add(5, "exrex", "eve");
      await store.bots.setStatus(bot(5), toStatus("banned"));
      await store.bots.setStatus(bot(3), toStatus("retired"));
      const found = async (text: string, most = 9) => {
        const { bots, owners } = await store.bots.search(text, most);
        return [bots.map(({ name }) => name), owners.map(({ owner }) => owner)];
      };
      assert.deepEqual(await found("rex"), [["REX", "rexona", "My_Rex", "T-Rex"], ["rex & co"]]);
      assert.deepEqual(await found("rex", 2), [["REX", "rexona"], ["rex & co"]]);
      assert.deepEqual(await found("y_"), [["My_Rex"], []]);
      assert.deepEqual(await found("%"), [[], ["Ada%Lab"]]);
      assert.deepEqual(await found("!"), [[], []]);
      assert.deepEqual(await found("röß"), [[], ["Größe"]]);
      assert.deepEqual(await found("eve"), [[], []]);
      assert.deepEqual((await found("ada"))[1], ["ADA", "Ada%Lab"]);
      assert.deepEqual((await found("ada", 1))[1], ["ADA"]);
    },
  },
  {
    name: "gives the first place of each archived season",
    async run(store) {
      await addSamplePlayers(store, 2);
      await openMonth(store, "2026-02");
      assert.deepEqual(await store.seasons.champions(), []);
      const place = (rank: number, player: number) => {
        const { id: botId, name, owner, house } = sampleBot(player);
        const results = { wins: 3, draws: 2, losses: 1, rating: 1500.25, deviation: 40.5 };
        const versionId = sampleId("version", player);
        return { rank, botId, versionId, name, owner, house, label: `v${player}`, ...results };
      };
      await store.seasons.archive("2026-01", CLOSED, [place(1, 0), place(2, 1)]);
      await store.seasons.archive("2026-02", CLOSED, [place(1, 1), place(2, 0)]);
      assert.deepEqual(await store.seasons.champions(), [
        { season: "2026-02", ...place(1, 1) },
        { season: "2026-01", ...place(1, 0) },
      ]);
    },
  },
];

const noted = (day: string, changes: Partial<NotedPlaces> = {}): NotedPlaces => ({
  ...SAMPLE_COMPETITION,
  day,
  notedAt: `${day}T00:00:01.250Z`,
  botIds: [2, 0, 1].map(bot),
  ...changes,
});

const placeCases: Case[] = [
  {
    name: "notes the places of a day once, and gives those of the latest day",
    async run(store, reopen) {
      assert.equal(await store.standings.latest("public"), null);
      assert.equal(await store.standings.note(noted("2026-01-05"), "2025-12-01"), true);
      const event = noted("2026-01-07", { ladderId: "event", season: null, botIds: [] });
      assert.equal(await store.standings.note(event, "2025-12-01"), true);
      const other = noted("2026-01-05", { botIds: [bot(1)] });
      assert.equal(await store.standings.note(other, "2025-12-01"), false);
      const opened = await reopen();
      assert.deepEqual(await opened.standings.latest("public"), noted("2026-01-05"));
      assert.deepEqual(await opened.standings.latest("event"), event);
      await opened.standings.note(noted("2026-01-06", { botIds: [bot(1)] }), "2025-12-01");
      assert.deepEqual((await opened.standings.latest("public"))?.botIds, [bot(1)]);
    },
  },
  {
    name: "forgets places of days too long ago, and of those that a clock ahead has noted",
    async run(store) {
      for (const day of ["2026-01-05", "2026-01-06", "2026-03-01"])
        await store.standings.note(noted(day), "2025-12-01");
      await store.standings.note(noted("2026-01-07"), "2026-01-06");
      assert.equal((await store.standings.latest("public"))?.day, "2026-01-07");
      assert.equal(await store.standings.note(noted("2026-01-06"), "2026-01-06"), true);
      assert.equal(await store.standings.note(noted("2026-01-06"), "2026-01-06"), false);
      assert.equal((await store.standings.latest("public"))?.day, "2026-01-06");
      assert.equal(await store.standings.note(noted("2026-01-05"), "2026-01-05"), true);
    },
  },
];

export const recordCases: readonly Case[] = [
  ...playedCases,
  ...lossCases,
  ...searchCases,
  ...placeCases,
];
