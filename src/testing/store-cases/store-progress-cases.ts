// What the store must read of the games behind the progress in events.
import assert from "node:assert/strict";

import type { EventGame } from "#core/events/account-progress.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { GamesQuery, GameSpan } from "#data/store/progress.ts";
import type { Store } from "#data/store/store.ts";

import { botOf, entry, join } from "./store-account-cases.ts";
import { matchId } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { CUP } from "./store-kept-ladder-cases.ts";
import { leaving } from "./store-leaving-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const ADA = sampleId("account", 1);
const stats = (changes: object) =>
  JSON.stringify({ stats_version: 2, ticks: 60, fighters: [changes, {}] });

/** A rated match of bot 0, which is of the first account, against bot 1. */
const played = (number: number, changes: MatchChanges = {}): FinishedMatch =>
  sampleMatch(number, {
    seats: [
      sampleSeat(0, { accountId: ADA, scoreAfter: 805.5 + number, deviationAfter: 30 }),
      sampleSeat(1, { fighter: "B", ratingAfter: 1492, scoreAfter: 700, deviationAfter: 30 }),
    ],
    ...changes,
  });

const QUERY: GamesQuery = {
  botId: sampleId("bot", 0),
  ladderId: "public",
  from: { ended: sampleTime(0), matchId: null },
  before: sampleTime(9000),
  withTurns: true,
  most: 100,
};

const SPAN: GameSpan = { ladderId: "public", opensAt: sampleTime(0), closesAt: sampleTime(9000) };

async function addPlayers(store: Store): Promise<void> {
  const ada = await join(store, 1, "ada");
  const owned = { owner: "ada", ownerId: ada.id };
  await store.bots.add(sampleBot(0, owned), "hash-0", null);
  await store.bots.add(
    sampleBot(1, { house: true, name: "house-kiter", owner: "house" }),
    "hash-1",
    null,
  );
  for (const number of [0, 1]) await store.versions.add(sampleVersion(number), null);
}

const idsOf = (list: readonly Pick<EventGame, "matchId">[]) => list.map(({ matchId: id }) => id);

export const progressCases: Case[] = [
  {
    name: "reads a bot's rated games as it saw them",
    async run(store) {
      await addPlayers(store);
      await store.matches.save(played(1, { stats: stats({}), map: "keep" }));
      await store.matches.save(
        played(2, {
          winnerBotId: sampleId("bot", 1),
          stats: stats({ server_idles: { timeout: 1 } }),
        }),
      );
      await store.matches.save(played(3, { winnerBotId: null, stats: null }));
      await store.matches.save(played(4, { stats: stats({ refused_turns: 1 }), finalTick: 0 }));
      await store.matches.save(played(5, { stats: stats({ disqualified: true }) }));
      await store.matches.save(played(6, { rated: false, voided: true }));
      const list = await store.progress.games(QUERY);
      const [first, ...others] = list;
      assert.deepEqual(first, {
        matchId: matchId(1),
        started: sampleTime(1),
        ended: sampleTime(61),
        map: "keep",
        ticks: 60,
        season: "2026-01",
        accountId: ADA,
        versionId: sampleId("version", 0),
        exactScore: 806.5,
        result: "W",
        opponent: "kiter",
        isClean: true,
      } satisfies EventGame);
      assert.deepEqual(
        others.map(({ result, isClean, ticks }) => [result, isClean, ticks]),
        [
          ["L", false, 60],
          ["D", null, 60],
          ["W", false, 0],
          ["W", false, 60],
        ],
      );
      const house = await store.progress.games({ ...QUERY, botId: sampleId("bot", 1) });
      const [seen] = house;
      assert.deepEqual([seen?.result, seen?.opponent, seen?.accountId], ["L", null, null]);
      const plain = await store.progress.games({ ...QUERY, withTurns: false });
      assert.deepEqual(new Set(plain.map(({ isClean }) => isClean)), new Set([null]));
      assert.deepEqual(idsOf(plain), idsOf(list));
    },
  },
  {
    name: "reads a bot's games in portions, within bounds",
    async run(store) {
      await addPlayers(store);
      // Two that ended at once are told apart by their ids.
      for (const number of [4, 2, 1, 5]) await store.matches.save(played(number));
      await store.matches.save(played(3, { ended: sampleTime(62) }));
      const two = await store.progress.games({ ...QUERY, most: 2 });
      assert.deepEqual(idsOf(two), [1, 2].map(matchId));
      const last = two[1]!;
      const from = { ended: last.ended, matchId: last.matchId };
      assert.deepEqual(
        idsOf(await store.progress.games({ ...QUERY, from })),
        [3, 4, 5].map(matchId),
      );
      const late = { ended: sampleTime(64), matchId: null };
      const bounded = await store.progress.games({ ...QUERY, from: late, before: sampleTime(65) });
      assert.deepEqual(idsOf(bounded), [matchId(4)]);
      const elsewhere = await store.progress.games({ ...QUERY, ladderId: "cup" });
      assert.deepEqual(elsewhere, []);
    },
  },
  {
    name: "counts a bot's rated games by version and season",
    async run(store) {
      await addPlayers(store);
      for (const number of [1, 2, 3]) await store.matches.save(played(number));
      await store.matches.save(played(4, { season: "2025-12" }));
      await store.matches.save(played(5, { rated: false }));
      const versionId = sampleId("version", 0);
      const span = { ...SPAN, opensAt: sampleTime(62), closesAt: sampleTime(900) };
      assert.deepEqual(await store.progress.former(sampleId("bot", 0), span), [
        { versionId, season: "2025-12", games: 1 },
        { versionId, season: "2026-01", games: 2 },
      ]);
      const before = { ...SPAN, closesAt: sampleTime(62) };
      assert.deepEqual(await store.progress.former(sampleId("bot", 0), before), [
        { versionId, season: "2026-01", games: 1 },
      ]);
    },
  },
  {
    name: "counts games on a ladder without seasons together",
    async run(store) {
      await addPlayers(store);
      await store.matches.save(played(1, { ladderId: "cup", season: null }));
      const [only] = await store.progress.former(sampleId("bot", 0), { ...SPAN, ladderId: "cup" });
      assert.deepEqual([only?.season, only?.games], [null, 1]);
      const [game] = await store.progress.games({ ...QUERY, ladderId: "cup" });
      assert.equal(game?.season, null);
    },
  },
  {
    name: "finds the bots of accounts that played",
    async run(store) {
      await addPlayers(store);
      await store.bots.add(sampleBot(2), "hash-2", null);
      await store.versions.add(sampleVersion(2), null);
      const eve = await join(store, 2, "eve");
      await store.bots.add(botOf(eve, 7), "hash-7", null);
      await store.versions.add(sampleVersion(7), null);
      const seats = [sampleSeat(7, { accountId: eve.id }), sampleSeat(2, { fighter: "B" })];
      await store.matches.save(played(1));
      await store.matches.save(played(2, { seats }));
      const ada = { botId: sampleId("bot", 0), accountId: ADA };
      const others = { botId: sampleId("bot", 7), accountId: eve.id };
      assert.deepEqual(await store.progress.players(SPAN, null, 9), [ada, others]);
      assert.deepEqual(await store.progress.players(SPAN, ada.botId, 9), [others]);
      assert.deepEqual(await store.progress.players(SPAN, null, 1), [ada]);
      const late = { ...SPAN, opensAt: sampleTime(62) };
      assert.deepEqual(await store.progress.players(late, null, 9), [others]);
      await store.accounts.leave(eve.id, leaving(), entry());
      assert.deepEqual(await store.progress.players(SPAN, null, 9), [ada]);
      assert.equal(await store.progress.participants(SPAN), 1);
    },
  },
  {
    name: "counts as participants those who were members while they played",
    async run(store) {
      await addPlayers(store);
      await store.ladders.add(CUP, null, entry());
      const own = { ladderId: "cup", season: null };
      const span = { ...SPAN, ladderId: "cup" };
      const enroll = (second: number, to: "pending" | "active", id: string) => {
        const step = { id, ladderId: "cup", accountId: ADA, at: sampleTime(second) };
        return store.members.enroll(step, to, entry());
      };
      await enroll(5, "pending", "m1");
      await store.matches.save(played(10, own));
      assert.equal(await store.progress.participants(span), 0);
      await enroll(100, "active", "m2");
      await store.matches.save(played(90, own));
      assert.equal(await store.progress.participants(span), 0);
      await store.matches.save(played(110, own));
      assert.equal(await store.progress.participants(span), 1);
      assert.equal(await store.progress.participants({ ...span, opensAt: sampleTime(111) }), 0);
      assert.equal(await store.progress.participants({ ...span, closesAt: sampleTime(170) }), 0);
      await store.members.withdraw(
        { ladderId: "cup", accountId: ADA, at: sampleTime(160) },
        entry(),
      );
      assert.equal(await store.progress.participants(span), 0);
    },
  },
];
