import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { serverStats, startServerTally, tallyServerTick } from "#core/engine/server-stats.ts";
import type { ReplayTick } from "#core/engine/types.ts";

import { parseSeatStats } from "./seat-stats.ts";
import { sumTurnStats, versionHealth } from "./version-health.ts";
import type { ReplyStats, TurnStats } from "./version-health.ts";

const EMPTY_STATS: TurnStats = {
  matches: 1,
  turns: 0,
  idles: {},
  refusedTurns: 0,
  refused: {},
  disconnects: 0,
  disqualifications: 0,
  replies: null,
};

function timedStats(replies: readonly number[], tickMs: number, budgetLeftMs: number): TurnStats {
  const budget = { tick_ms: tickMs, budget_ms: 300_000, startup_ms: 10_000, reconnect_ms: 0 };
  const tally = startServerTally(budget, 1);
  for (const reply of replies)
    tallyServerTick(tally, {
      turns: [null],
      reply_ms: [reply],
      budget_ms: [budgetLeftMs],
    } as unknown as ReplayTick);
  const fighters = [serverStats(tally, 0, "last_standing")];
  const stats = { stats_version: 2, ticks: replies.length, fighters };
  return parseSeatStats(JSON.stringify(stats))[0]!.turns;
}

function healthOf(...statsList: TurnStats[]) {
  const sum = sumTurnStats(statsList);
  assert.ok(sum !== null);
  return versionHealth(sum);
}

describe("the health of a version", () => {
  it("is null without matches", () => {
    assert.equal(sumTurnStats([]), null);
  });

  it("has zero shares for a match without turns", () => {
    assert.deepEqual(healthOf(EMPTY_STATS), {
      matches: 1,
      turns: 0,
      idle_pct: 0,
      idle_pct_by_reason: {},
      refused_pct: 0,
      refused_pct_by_reason: {},
      reply_ms: null,
      near_limit_pct: 0,
      lowest_budget_ms_left: null,
      disconnects: 0,
      disqualifications: 0,
    });
  });

  it("covers all turns of all matches and counts a turn refused for two reasons once in total", () => {
    const single = { ...EMPTY_STATS, turns: 200, idles: { timeout: 1, schema: 1 }, disconnects: 2 };
    const refused = { refusedTurns: 2, refused: { blocked: 2, not_ready: 1 } };
    const two = {
      ...EMPTY_STATS,
      turns: 100,
      idles: { timeout: 10 },
      disqualifications: 1,
      ...refused,
    };
    const health = healthOf(single, two);
    assert.deepEqual([health.matches, health.turns], [2, 300]);
    assert.deepEqual(health.idle_pct_by_reason, { timeout: 3.67, schema: 0.33 });
    assert.deepEqual(health.refused_pct_by_reason, { blocked: 0.67, not_ready: 0.33 });
    assert.deepEqual([health.idle_pct, health.refused_pct], [4, 0.67]);
    assert.deepEqual([health.disconnects, health.disqualifications], [2, 1]);
  });

  type Row = [name: string, replies: number[][], p50: number, p95: number, max: number];
  const rows: Row[] = [
    ["one quick reply", [[0.4]], 0.4, 0.4, 0.4],
    [
      "replies of two matches",
      [
        [4, 4, 4],
        [12, 30],
      ],
      10,
      30,
      30,
    ],
    [
      "a tail in the last place",
      [Array.from({ length: 19 }, () => 60), [777.125]],
      100,
      100,
      777.125,
    ],
    [
      "a tail of a tenth",
      [Array.from({ length: 18 }, () => 60), [777.125, 640]],
      100,
      700,
      777.125,
    ],
    ["replies after the tick limit", [[1200, 1500.5]], 1500.5, 1500.5, 1500.5],
  ];
  for (const [name, replies, p50, p95, max] of rows)
    it(`estimates reply times of ${name} from buckets`, () => {
      const { reply_ms } = healthOf(
        ...replies.map((ownPercentage) => timedStats(ownPercentage, 1000, 1)),
      );
      const statsList = replies.flat();
      assert.deepEqual(
        { ...reply_ms, mean: 0 },
        { replies: statsList.length, mean: 0, p50, p95, max },
      );
      const mean = statsList.reduce((total, value) => total + value, 0) / statsList.length;
      assert.ok(Math.abs((reply_ms?.mean ?? 0) - mean) < 0.001);
    });

  it("agrees with the statistics of a single match", () => {
    for (let largest = 1; largest < 1100; largest = Math.ceil(largest * 1.3)) {
      const replies = Array.from({ length: 41 }, (_, at) => (largest * at * at) / 1600);
      const budget = { tick_ms: 800, budget_ms: 300_000, startup_ms: 10_000, reconnect_ms: 0 };
      const tally = startServerTally(budget, 1);
      for (const reply of replies)
        tallyServerTick(tally, {
          turns: [null],
          reply_ms: [reply],
          budget_ms: [5],
        } as unknown as ReplayTick);
      const { timing } = serverStats(tally, 0, "last_standing");
      const health = healthOf(timedStats(replies, 800, 5));
      assert.deepEqual(health.reply_ms, {
        replies: timing?.replies,
        mean: timing?.mean_ms,
        p50: timing?.p50_ms,
        p95: timing?.p95_ms,
        max: timing?.max_ms,
      });
    }
  });

  it("merges buckets of different tick limits in order", () => {
    const quickReplies = timedStats([1, 1, 1, 1], 100, 50);
    const slowReplies = timedStats([9], 1000, 40);
    const { reply_ms, lowest_budget_ms_left } = healthOf(slowReplies, quickReplies);
    assert.deepEqual([reply_ms?.p50, reply_ms?.p95], [1, 9]);
    assert.equal(lowest_budget_ms_left, 40);
  });

  it("computes the share of replies near the limit from replies, not turns", () => {
    const replies: ReplyStats = {
      replies: 3,
      total: 900,
      max: 500,
      nearLimit: 1,
      budgetLeftMs: 7,
      histograms: { 1000: [3] },
    };
    const { near_limit_pct, reply_ms } = healthOf({ ...EMPTY_STATS, turns: 1000, replies });
    assert.deepEqual([near_limit_pct, reply_ms?.mean], [33.33, 0.3]);
  });
});
