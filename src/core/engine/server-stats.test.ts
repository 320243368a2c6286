import assert from "node:assert/strict";
import { test } from "node:test";

import { serverStats, startServerTally, tallyServerTick } from "./server-stats.ts";
import type { EndReason, IdleReason, RecordedTurn, ServerStats } from "./types.ts";

const DEADLINES = { startup_ms: 10_000, tick_ms: 1000, budget_ms: 300_000, reconnect_ms: 10_000 };

type Answer = { turn?: RecordedTurn; reply?: number | null; budget?: number };

function statsOf(answers: Answer[], reason: EndReason = "last_standing"): ServerStats {
  const tally = startServerTally(DEADLINES, 1);
  for (const [tick, { turn = {}, reply = null, budget = 300_000 }] of answers.entries()) {
    const answer = { tick, turns: [turn], reply_ms: [reply], budget_ms: [budget], hash: "" };
    tallyServerTick(tally, answer);
  }
  return serverStats(tally, 0, reason);
}

function idleAnswers(...reasons: (IdleReason | null)[]): Answer[] {
  return reasons.map((idle): Answer => ({ turn: idle === null ? {} : { idle } }));
}

function timedAnswers(...replies: number[]): Answer[] {
  return replies.map((reply) => ({ reply }));
}

test("returns no idle ticks and no timing for a match without either", () => {
  assert.deepEqual(statsOf([{}, {}]), {
    server_idles: {},
    timing: null,
    disconnects: 0,
    disqualified: false,
  });
});

test("counts idle ticks by reason, and consecutive disconnected ticks as one disconnect", () => {
  const answers = idleAnswers(
    ...(["disconnected", "disconnected", null, "timeout", "disconnected", "schema"] as const),
    ...(["disconnected"] as const),
  );
  const { server_idles, disconnects } = statsOf(answers);
  assert.deepEqual(server_idles, { disconnected: 4, timeout: 1, schema: 1 });
  assert.equal(disconnects, 3);
});

test("ten consecutive failed ticks disqualify a fighter", () => {
  const ten = idleAnswers(...Array.from({ length: 10 }, () => "timeout" as const));
  const cases: [Answer[], EndReason, boolean][] = [
    [ten, "disqualification", true],
    [ten, "last_standing", false],
    [ten.slice(1), "disqualification", false],
    [[...ten, {}], "disqualification", false],
    [[{}, ...ten], "disqualification", true],
  ];
  for (const [answers, reason, disqualified] of cases) {
    assert.equal(statsOf(answers, reason).disqualified, disqualified);
  }
});

test("counts reply times in buckets that include their upper bound", () => {
  const { timing } = statsOf(timedAnswers(0, 10, 10.001, 25, 799.999, 800, 1000, 1000.001));
  assert.deepEqual(timing?.histogram, [2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 1]);
  assert.deepEqual([timing?.replies, timing?.max_ms, timing?.near_limit], [8, 1000.001, 3]);
});

const TIMES: [replies: number[], mean: number, p50: number, p95: number, max: number][] = [
  [[5], 5, 5, 5, 5],
  [[5, 9], 7, 9, 9, 9],
  [[5, 30], 17.5, 10, 30, 30],
  [[1, 2, 3], 2, 3, 3, 3],
  [[0.001, 0.002], 0.002, 0.002, 0.002, 0.002],
  [[12, 60, 450], 174, 100, 450, 450],
  [Array.from({ length: 100 }, (_, i) => i + 1), 50.5, 50, 100, 100],
  [[500, 1500, 2000], 1333.333, 2000, 2000, 2000],
];

for (const [replies, mean, p50, p95, max] of TIMES) {
  const description = replies.length > 10 ? `${replies.length} replies` : replies.join(", ");
  test(`computes the mean and percentiles of reply times ${description}`, () => {
    const { timing } = statsOf(timedAnswers(...replies));
    assert.deepEqual(
      [timing?.mean_ms, timing?.p50_ms, timing?.p95_ms, timing?.max_ms],
      [mean, p50, p95, max],
    );
  });
}

test("reports the budget remaining after the last tick", () => {
  const { timing } = statsOf([{ reply: 14, budget: 299_986 }, { budget: 299_985.5 }]);
  assert.deepEqual(
    [timing?.tick_ms, timing?.budget_ms, timing?.budget_ms_left],
    [1000, 300_000, 299_985.5],
  );
});

test("ignores fallen fighters", () => {
  const { server_idles, disconnects } = statsOf([{ turn: null }, { turn: null }]);
  assert.deepEqual([server_idles, disconnects], [{}, 0]);
});
