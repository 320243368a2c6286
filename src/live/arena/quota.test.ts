import assert from "node:assert/strict";
import { test } from "node:test";

import { HOUR_US, MILLISECOND_US } from "#base/util/time.ts";
import { limitsWith } from "#core/limits/limits.ts";

import {
  evictStarts,
  quotaFreeAt,
  emptyStarts,
  recordStart,
  startsInLastHour,
  exhaustedQuota,
  remainingStarts,
} from "./quota.ts";

const NOW = 100 * HOUR_US;

const limits = { ...limitsWith({ hourly_quota: 3 }), owner_daily_quota: 5 };

/** Records match starts of one owner's bots, given in hours before now. */
function startsOf(hoursAgo: Record<string, number[]>) {
  const starts = emptyStarts();
  const startEvents = Object.entries(hoursAgo).flatMap(([bot, ages]) =>
    ages.map((age) => ({ bot, age })),
  );
  for (const { bot, age } of startEvents.toSorted((a, b) => b.age - a.age))
    recordStart(starts, bot, "owner", NOW - age * HOUR_US);
  return starts;
}

type QuotaCase = [name: string, hoursAgo: Record<string, number[]>, spent: string | null];
const cases: QuotaCase[] = [
  ["no matches", {}, null],
  ["two in the last hour", { one: [0.1, 0.9] }, null],
  ["three in the last hour", { one: [0.1, 0.5, 0.9] }, "hourly_quota"],
  ["three, the oldest exactly an hour ago", { one: [0.1, 0.5, 1] }, null],
  ["three by another bot of the owner", { other: [0.1, 0.5, 0.9] }, null],
  ["five by the owner in a day", { one: [5, 6], other: [7, 8, 23.9] }, "owner_daily_quota"],
  ["five, the oldest a day ago", { one: [5, 6], other: [7, 8, 24] }, null],
];
for (const [name, hoursAgo, expectedReason] of cases)
  test(`a bot is limited by ${expectedReason ?? "nothing"}: ${name}`, () => {
    assert.equal(exhaustedQuota(startsOf(hoursAgo), "one", "owner", NOW, limits), expectedReason);
  });

const holdCases: [name: string, hoursAgo: Record<string, number[]>, hours: number][] = [
  ["no matches", {}, 0],
  ["three in the last hour", { one: [0.25, 0.5, 0.75] }, 0.25],
  ["four in the last hour", { one: [0.25, 0.375, 0.5, 0.75] }, 0.5],
  ["five by the owner in a day", { one: [5, 6], other: [7, 8, 22] }, 2],
  ["both quotas are used up", { one: [0.25, 0.5, 0.75], other: [20, 22] }, 2],
];
for (const [name, hoursAgo, hours] of holdCases)
  test(`a bot is limited for ${hours} hours: ${name}`, () => {
    const until = quotaFreeAt(startsOf(hoursAgo), "one", "owner", NOW, limits);
    assert.equal((until - NOW) / HOUR_US, hours);
    assert.equal(exhaustedQuota(startsOf(hoursAgo), "one", "owner", until, limits), null);
  });

test("a quota of 0 is checked again after an hour", () => {
  const until = quotaFreeAt(emptyStarts(), "one", "owner", NOW, { ...limits, hourly_quota: 0 });
  assert.equal(until, NOW + HOUR_US);
});

test("starts of another owner's bots don't count", () => {
  const starts = startsOf({ one: [1, 2, 3, 4, 5] });
  assert.equal(exhaustedQuota(starts, "two", "other", NOW, limits), null);
});

test("expired starts are evicted when counted", () => {
  const starts = startsOf({ one: [0.5, 0.9], other: [0.5] });
  assert.equal(startsInLastHour(starts, "one", NOW), 2);
  assert.equal(startsInLastHour(starts, "one", NOW + HOUR_US), 0);
  assert.deepEqual([...starts.byBot.historyByKey.keys()], ["other"]);
  exhaustedQuota(starts, "other", "owner", NOW + 24 * HOUR_US, limits);
  assert.equal(starts.byBot.historyByKey.size, 0);
  assert.equal(starts.byOwner.historyByKey.size, 0);
});

test("expired starts of a disconnected bot are evicted", () => {
  const starts = startsOf({ one: [0.5], other: [0.9] });
  evictStarts(starts, NOW + HOUR_US / 4);
  assert.deepEqual([...starts.byBot.historyByKey.keys()], ["one"]);
  evictStarts(starts, NOW + 24 * HOUR_US);
  assert.deepEqual([starts.byBot.historyByKey.size, starts.byOwner.historyByKey.size], [0, 0]);
});

test("returns an owner's remaining starts", () => {
  const starts = startsOf({ one: [1, 2], other: [23.9] });
  assert.equal(remainingStarts(starts, "owner", NOW, limits), 2);
  assert.equal(remainingStarts(starts, "other", NOW, limits), 5);
});

test("a day of continuous starts uses bounded memory and no start expires early", () => {
  const starts = emptyStarts();
  const interval = 400 * MILLISECOND_US;
  for (let at = 0; at < 24 * HOUR_US; at += interval) recordStart(starts, "one", "owner", at);
  const now = 24 * HOUR_US;
  const hourCount = startsInLastHour(starts, "one", now);
  assert.ok(
    hourCount >= HOUR_US / interval - 1 && hourCount <= HOUR_US / interval + 3,
    `${hourCount}`,
  );
  const dayCount = limits.owner_daily_quota - remainingStarts(starts, "owner", now, limits);
  assert.ok(dayCount >= (24 * HOUR_US) / interval - 1, `${dayCount}`);
  for (const { historyByKey } of [starts.byBot, starts.byOwner])
    for (const { groups } of historyByKey.values())
      assert.ok(groups.length <= 3601, `${groups.length}`);
});
