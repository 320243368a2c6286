import assert from "node:assert/strict";

import type { EventGame } from "#core/events/account-progress.ts";
import type { EventGamesQuery, GameWindow } from "#data/store/event-progress.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { sampleBotOf, sampleEntry, addSampleAccount } from "./store-account-cases.ts";
import { deletionOptions } from "./store-account-deletion-cases.ts";
import { sampleMatchId } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { SAMPLE_LADDER } from "./store-custom-ladder-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const ADA_ID = sampleId("account", 1);
const sampleStats = (changes: object) =>
  JSON.stringify({ stats_version: 2, ticks: 60, fighters: [changes, {}] });

const playedMatch = (number: number, changes: MatchChanges = {}): FinishedMatch =>
  sampleMatch(number, {
    seats: [
      sampleSeat(0, { accountId: ADA_ID, scoreAfter: 805.5 + number, deviationAfter: 30 }),
      sampleSeat(1, { fighter: "B", ratingAfter: 1492, scoreAfter: 700, deviationAfter: 30 }),
    ],
    ...changes,
  });

const GAMES_QUERY: EventGamesQuery = {
  botId: sampleId("bot", 0),
  ladderId: "public",
  from: { ended: sampleTime(0), matchId: null },
  before: sampleTime(9000),
  withTurns: true,
  limit: 100,
};

const WINDOW: GameWindow = {
  ladderId: "public",
  opensAt: sampleTime(0),
  closesAt: sampleTime(9000),
};

async function addPlayers(store: Store): Promise<void> {
  const ada = await addSampleAccount(store, 1, "ada");
  const owned = { owner: "ada", ownerId: ada.id };
  await store.bots.add(sampleBot(0, owned), "hash-0", null);
  await store.bots.add(
    sampleBot(1, { house: true, name: "house-kiter", owner: "house" }),
    "hash-1",
    null,
  );
  for (const number of [0, 1]) await store.versions.add(sampleVersion(number), null);
}

const gameIds = (games: readonly Pick<EventGame, "matchId">[]) =>
  games.map(({ matchId: id }) => id);

export const progressCases: StoreCase[] = [
  {
    name: "reads a bot's rated games from its point of view",
    async run(store) {
      await addPlayers(store);
      await store.matches.save(playedMatch(1, { stats: sampleStats({}), map: "keep" }));
      await store.matches.save(
        playedMatch(2, {
          winnerBotId: sampleId("bot", 1),
          stats: sampleStats({ server_idles: { timeout: 1 } }),
        }),
      );
      await store.matches.save(playedMatch(3, { winnerBotId: null, stats: null }));
      await store.matches.save(
        playedMatch(4, { stats: sampleStats({ refused_turns: 1 }), finalTick: 0 }),
      );
      await store.matches.save(playedMatch(5, { stats: sampleStats({ disqualified: true }) }));
      await store.matches.save(playedMatch(6, { rated: false, voided: true }));
      const list = await store.progress.games(GAMES_QUERY);
      const [first, ...otherGames] = list;
      assert.deepEqual(first, {
        matchId: sampleMatchId(1),
        started: sampleTime(1),
        ended: sampleTime(61),
        map: "keep",
        ticks: 60,
        season: "2026-01",
        accountId: ADA_ID,
        versionId: sampleId("version", 0),
        exactScore: 806.5,
        result: "W",
        opponent: "kiter",
        isClean: true,
      } satisfies EventGame);
      assert.deepEqual(
        otherGames.map(({ result, isClean, ticks }) => [result, isClean, ticks]),
        [
          ["L", false, 60],
          ["D", null, 60],
          ["W", false, 0],
          ["W", false, 60],
        ],
      );
      const house = await store.progress.games({ ...GAMES_QUERY, botId: sampleId("bot", 1) });
      const [houseGame] = house;
      assert.deepEqual(
        [houseGame?.result, houseGame?.opponent, houseGame?.accountId],
        ["L", null, null],
      );
      const gamesWithoutTurns = await store.progress.games({ ...GAMES_QUERY, withTurns: false });
      assert.deepEqual(new Set(gamesWithoutTurns.map(({ isClean }) => isClean)), new Set([null]));
      assert.deepEqual(gameIds(gamesWithoutTurns), gameIds(list));
    },
  },
  {
    name: "reads a bot's games in pages, within bounds",
    async run(store) {
      await addPlayers(store);
      // Matches that end at the same time are ordered by ID.
      for (const number of [4, 2, 1, 5]) await store.matches.save(playedMatch(number));
      await store.matches.save(playedMatch(3, { ended: sampleTime(62) }));
      const two = await store.progress.games({ ...GAMES_QUERY, limit: 2 });
      assert.deepEqual(gameIds(two), [1, 2].map(sampleMatchId));
      const last = two[1]!;
      const from = { ended: last.ended, matchId: last.matchId };
      assert.deepEqual(
        gameIds(await store.progress.games({ ...GAMES_QUERY, from })),
        [3, 4, 5].map(sampleMatchId),
      );
      const lateGames = { ended: sampleTime(64), matchId: null };
      const boundedGames = await store.progress.games({
        ...GAMES_QUERY,
        from: lateGames,
        before: sampleTime(65),
      });
      assert.deepEqual(gameIds(boundedGames), [sampleMatchId(4)]);
      const otherLadderGames = await store.progress.games({ ...GAMES_QUERY, ladderId: "cup" });
      assert.deepEqual(otherLadderGames, []);
    },
  },
  {
    name: "counts a bot's rated games by version and season",
    async run(store) {
      await addPlayers(store);
      for (const number of [1, 2, 3]) await store.matches.save(playedMatch(number));
      await store.matches.save(playedMatch(4, { season: "2025-12" }));
      await store.matches.save(playedMatch(5, { rated: false }));
      const versionId = sampleId("version", 0);
      const span = { ...WINDOW, opensAt: sampleTime(62), closesAt: sampleTime(900) };
      assert.deepEqual(await store.progress.countByVersion(sampleId("bot", 0), span), [
        { versionId, season: "2025-12", games: 1 },
        { versionId, season: "2026-01", games: 2 },
      ]);
      const before = { ...WINDOW, closesAt: sampleTime(62) };
      assert.deepEqual(await store.progress.countByVersion(sampleId("bot", 0), before), [
        { versionId, season: "2026-01", games: 1 },
      ]);
    },
  },
  {
    name: "counts games on a ladder without seasons together",
    async run(store) {
      await addPlayers(store);
      await store.matches.save(playedMatch(1, { ladderId: "cup", season: null }));
      const [onlyGame] = await store.progress.countByVersion(sampleId("bot", 0), {
        ...WINDOW,
        ladderId: "cup",
      });
      assert.deepEqual([onlyGame?.season, onlyGame?.games], [null, 1]);
      const [game] = await store.progress.games({ ...GAMES_QUERY, ladderId: "cup" });
      assert.equal(game?.season, null);
    },
  },
  {
    name: "finds the bots of accounts that played",
    async run(store) {
      await addPlayers(store);
      await store.bots.add(sampleBot(2), "hash-2", null);
      await store.versions.add(sampleVersion(2), null);
      const eve = await addSampleAccount(store, 2, "eve");
      await store.bots.add(sampleBotOf(eve, 7), "hash-7", null);
      await store.versions.add(sampleVersion(7), null);
      const seats = [sampleSeat(7, { accountId: eve.id }), sampleSeat(2, { fighter: "B" })];
      await store.matches.save(playedMatch(1));
      await store.matches.save(playedMatch(2, { seats }));
      const ada = { botId: sampleId("bot", 0), accountId: ADA_ID };
      const otherGames = { botId: sampleId("bot", 7), accountId: eve.id };
      assert.deepEqual(await store.progress.players(WINDOW, null, 9), [ada, otherGames]);
      assert.deepEqual(await store.progress.players(WINDOW, ada.botId, 9), [otherGames]);
      assert.deepEqual(await store.progress.players(WINDOW, null, 1), [ada]);
      const lateGames = { ...WINDOW, opensAt: sampleTime(62) };
      assert.deepEqual(await store.progress.players(lateGames, null, 9), [otherGames]);
      await store.accounts.delete(eve.id, deletionOptions(), sampleEntry());
      assert.deepEqual(await store.progress.players(WINDOW, null, 9), [ada]);
      assert.equal(await store.progress.participants(WINDOW), 1);
    },
  },
  {
    name: "counts accounts that were members while they played as participants",
    async run(store) {
      await addPlayers(store);
      await store.ladders.add(SAMPLE_LADDER, null, sampleEntry());
      const cupFields = { ladderId: "cup", season: null };
      const span = { ...WINDOW, ladderId: "cup" };
      const enroll = (second: number, to: "pending" | "active", id: string) => {
        const step = { id, ladderId: "cup", accountId: ADA_ID, at: sampleTime(second) };
        return store.members.enroll(step, to, sampleEntry());
      };
      await enroll(5, "pending", "m1");
      await store.matches.save(playedMatch(10, cupFields));
      assert.equal(await store.progress.participants(span), 0);
      await enroll(100, "active", "m2");
      await store.matches.save(playedMatch(90, cupFields));
      assert.equal(await store.progress.participants(span), 0);
      await store.matches.save(playedMatch(110, cupFields));
      assert.equal(await store.progress.participants(span), 1);
      assert.equal(await store.progress.participants({ ...span, opensAt: sampleTime(111) }), 0);
      assert.equal(await store.progress.participants({ ...span, closesAt: sampleTime(170) }), 0);
      await store.members.withdraw(
        { ladderId: "cup", accountId: ADA_ID, at: sampleTime(160) },
        sampleEntry(),
      );
      assert.equal(await store.progress.participants(span), 0);
    },
  },
];
