import assert from "node:assert/strict";
import { test } from "node:test";

import { HOUR, MILLISECOND } from "#base/units/time.ts";
import { limitsWith } from "#core/words/limits.ts";

import {
  forgetStarts,
  heldUntil,
  noStarts,
  noteStart,
  recentStarts,
  spentQuota,
  startsLeft,
} from "./quota.ts";

const NOW = 100 * HOUR;

const limits = { ...limitsWith({ hourly_quota: 3 }), owner_daily_quota: 5 };

/** Starts of one owner's bots, each this many hours ago. */
function startsOf(hoursAgo: Record<string, number[]>) {
  const starts = noStarts();
  const all = Object.entries(hoursAgo).flatMap(([bot, ages]) => ages.map((age) => ({ bot, age })));
  for (const { bot, age } of all.toSorted((one, other) => other.age - one.age))
    noteStart(starts, bot, "owner", NOW - age * HOUR);
  return starts;
}

type QuotaCase = [name: string, hoursAgo: Record<string, number[]>, spent: string | null];
const cases: QuotaCase[] = [
  ["nothing was played", {}, null],
  ["two in the last hour", { one: [0.1, 0.9] }, null],
  ["three in the last hour", { one: [0.1, 0.5, 0.9] }, "hourly_quota"],
  ["three, one of them just an hour ago", { one: [0.1, 0.5, 1] }, null],
  ["three by another bot of the owner", { other: [0.1, 0.5, 0.9] }, null],
  ["five of the owner in a day", { one: [5, 6], other: [7, 8, 23.9] }, "owner_daily_quota"],
  ["five, one of them a day ago", { one: [5, 6], other: [7, 8, 24] }, null],
];
for (const [name, hoursAgo, spent] of cases)
  test(`a bot is held back by ${spent ?? "nothing"}: ${name}`, () => {
    assert.equal(spentQuota(startsOf(hoursAgo), "one", "owner", NOW, limits), spent);
  });

const ends: [name: string, hoursAgo: Record<string, number[]>, hours: number][] = [
  ["nothing was played", {}, 0],
  ["three in the last hour", { one: [0.25, 0.5, 0.75] }, 0.25],
  ["four in the last hour", { one: [0.25, 0.375, 0.5, 0.75] }, 0.5],
  ["five of the owner in a day", { one: [5, 6], other: [7, 8, 22] }, 2],
  ["both quotas are spent", { one: [0.25, 0.5, 0.75], other: [20, 22] }, 2],
];
for (const [name, hoursAgo, hours] of ends)
  test(`a bot is held back for ${hours} hours: ${name}`, () => {
    const until = heldUntil(startsOf(hoursAgo), "one", "owner", NOW, limits);
    assert.equal((until - NOW) / HOUR, hours);
    assert.equal(spentQuota(startsOf(hoursAgo), "one", "owner", until, limits), null);
  });

test("a quota of nothing holds back for its whole hour, again and again", () => {
  const until = heldUntil(noStarts(), "one", "owner", NOW, { ...limits, hourly_quota: 0 });
  assert.equal(until, NOW + HOUR);
});

test("another owner's starts do not count", () => {
  const starts = startsOf({ one: [1, 2, 3, 4, 5] });
  assert.equal(spentQuota(starts, "two", "other", NOW, limits), null);
});

test("starts are forgotten when they count no more", () => {
  const starts = startsOf({ one: [0.5, 0.9], other: [0.5] });
  assert.equal(recentStarts(starts, "one", NOW), 2);
  assert.equal(recentStarts(starts, "one", NOW + HOUR), 0);
  assert.deepEqual([...starts.byBot.recent.keys()], ["other"]);
  spentQuota(starts, "other", "owner", NOW + 24 * HOUR, limits);
  assert.equal(starts.byBot.recent.size, 0);
  assert.equal(starts.byOwner.recent.size, 0);
});

test("a bot that went away is forgotten without being asked for", () => {
  const starts = startsOf({ one: [0.5], other: [0.9] });
  forgetStarts(starts, NOW + HOUR / 4);
  assert.deepEqual([...starts.byBot.recent.keys()], ["one"]);
  forgetStarts(starts, NOW + 24 * HOUR);
  assert.deepEqual([starts.byBot.recent.size, starts.byOwner.recent.size], [0, 0]);
});

test("an owner has starts left until the day's quota is spent", () => {
  const starts = startsOf({ one: [1, 2], other: [23.9] });
  assert.equal(startsLeft(starts, "owner", NOW, limits), 2);
  assert.equal(startsLeft(starts, "other", NOW, limits), 5);
});

test("a day of starts without a pause takes a bounded room, and no start counts too short", () => {
  const starts = noStarts();
  const every = 400 * MILLISECOND;
  for (let at = 0; at < 24 * HOUR; at += every) noteStart(starts, "one", "owner", at);
  const now = 24 * HOUR;
  const inHour = recentStarts(starts, "one", now);
  assert.ok(inHour >= HOUR / every - 1 && inHour <= HOUR / every + 3, `${inHour}`);
  const inDay = limits.owner_daily_quota - startsLeft(starts, "owner", now, limits);
  assert.ok(inDay >= (24 * HOUR) / every - 1, `${inDay}`);
  for (const { recent } of [starts.byBot, starts.byOwner])
    for (const { sums } of recent.values()) assert.ok(sums.length <= 3601, `${sums.length}`);
});
