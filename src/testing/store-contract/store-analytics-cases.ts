import assert from "node:assert/strict";

import { HUMAN_SEAT } from "#core/ids/match-modes.ts";

import { recountAnalytics, simulateDays, simulatedSpan } from "./simulated-days.ts";
import { sampleEntry, addSampleAccount, sampleAccount } from "./store-account-cases.ts";
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

const DAY_S = 86_400;
const FULL_QUERY = { from: "2026-01-01", to: "2026-12-31", limit: 10 };
const FIRST_DAY_QUERY = { from: "2026-01-01", to: "2026-01-01", limit: 10 };
const DAYS = 40;

export const analyticsCases: StoreCase[] = [
  {
    name: "counts creations by day, ignoring deletions and house bots",
    async run(store, reopen) {
      const empty = await store.stats.analytics(FULL_QUERY);
      assert.deepEqual([empty.signupsSince, empty.days, empty.activeBots], [null, [], 0]);
      await addSampleAccount(store, 1, "ada");
      await store.accounts.add(sampleAccount(2, { subject: "person-1" }), sampleEntry());
      await store.accounts.add(sampleAccount(3, { created: sampleTime(DAY_S) }), sampleEntry());
      await addSamplePlayers(store, 3);
      await store.bots.add(sampleBot(0), "hash-0", null);
      await store.bots.add(sampleBot(7, { house: true }), "hash-7", null);
      await store.versions.add(sampleVersion(7), null);
      await store.versions.add(sampleVersion(8, { botId: sampleId("bot", 0) }), null);
      await store.versions.add(sampleVersion(8, { botId: sampleId("bot", 0) }), null);
      await store.bots.delete(sampleId("bot", 2));
      await store.bots.setStatus(sampleId("bot", 1), statusChange("suspended"));
      const { days, now, signupsSince } = await (await reopen()).stats.analytics(FULL_QUERY);
      const none = { ranked: 0, other: 0, voided: 0, active_bots: 0 };
      assert.deepEqual(days, [
        { day: "2026-01-01", users: 1, bots: 3, versions: 4, ...none },
        { day: "2026-01-02", users: 1, bots: 0, versions: 0, ...none },
      ]);
      assert.equal(signupsSince, "2026-01-01");
      assert.deepEqual(now, {
        users: 2,
        banned_users: 0,
        bots: 2,
        active_bots: 1,
        suspended_bots: 1,
        banned_bots: 0,
        house_bots: 1,
        games: 0,
      });
    },
  },
  {
    name: "counts a match once, on the day of its end, by mode, map and bot",
    async run(store) {
      await store.bots.add(sampleBot(2, { house: true }), "hash-2", null);
      await addSamplePlayers(store, 4);
      const person = sampleSeat(1, { ...HUMAN_SEAT, botId: null, versionId: null, fighter: "B" });
      const unrated = { rated: false, unratedReason: "mode" } as const;
      const lateMatch = { started: sampleTime(DAY_S - 5), ended: sampleTime(DAY_S) };
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(1));
      await store.matches.save(sampleMatch(2, { voided: true, rated: false, stats: null }));
      await store.matches.save(sampleMatch(3, { rated: false, map: "cross" }));
      const seats = [sampleSeat(0), person];
      await store.matches.save(sampleMatch(4, { mode: "human", seats, ...unrated, map: "cross" }));
      const withHouse = [sampleSeat(0), sampleSeat(2, { fighter: "B" })];
      await store.matches.save(
        sampleMatch(5, {
          mode: "practice",
          seats: withHouse,
          ...unrated,
          map: "cross",
          ...lateMatch,
        }),
      );
      const { days, topBots, maps, activeBots, now } = await store.stats.analytics(FULL_QUERY);
      const played = days.map(({ day, ranked, other, voided, active_bots }) => {
        return [day, ranked, other, voided, active_bots];
      });
      assert.deepEqual(played, [
        ["2026-01-01", 2, 1, 1, 2],
        ["2026-01-02", 0, 1, 0, 2],
      ]);
      assert.deepEqual([activeBots, now.games], [3, 4]);
      assert.deepEqual(topBots, [
        { name: "Bot-0", owner: "Owner-0", games: 4, ranked: 2 },
        { name: "Bot-1", owner: "Owner-1", games: 2, ranked: 2 },
      ]);
      assert.deepEqual(maps, [
        { map: "cross", games: 3 },
        { map: "arena", games: 1 },
      ]);
      const first = await store.stats.analytics({ ...FIRST_DAY_QUERY, limit: 1 });
      assert.deepEqual(
        [first.activeBots, first.days.length, first.topBots.map(({ games }) => games)],
        [2, 1, [3]],
      );
    },
  },
  {
    name: `totals of ${DAYS} days equal a recount of matches and audit, whatever was deleted since`,
    async run(store, reopen) {
      await simulateDays(store, DAYS, 1);
      const opened = await reopen();
      const fullSpan = simulatedSpan(DAYS);
      for (const span of [
        fullSpan,
        { ...fullSpan, from: "2026-01-20" },
        { from: fullSpan.to, to: fullSpan.to },
      ]) {
        const { activeBots, days, maps, topBots } = await opened.stats.analytics({
          ...span,
          limit: 10,
        });
        assert.deepEqual(
          { activeBots, days, maps, topBots },
          await recountAnalytics(opened, span, 10),
        );
      }
      assert.deepEqual(await opened.database.faults(), []);
    },
  },
];
