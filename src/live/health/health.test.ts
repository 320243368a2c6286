import assert from "node:assert/strict";
import { test } from "node:test";

import { openHealth } from "./health.ts";

function healthAt(start: number) {
  const clock = { at: start, now: () => clock.at };
  return { clock, health: openHealth(clock) };
}

test("reports null durations before the first measurement", () => {
  const { health } = healthAt(5_000_000);
  const { timings, observed_seconds } = health.report();
  assert.equal(observed_seconds, 0);
  const noDurations = { mean_ms: null, p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };
  assert.deepEqual(timings.reply, { count: 0, ...noDurations, over_budget: 0 });
});

test("compares each timing with its budget, and replies with the match's tick limit", () => {
  const { health } = healthAt(0);
  for (const ms of [5, 5.001, 50, 50.001]) {
    health.recordDuration("observation", ms * 1000);
    health.recordDuration("simulation", ms * 1000);
    health.recordDuration("timeout_lateness", ms * 1000);
    health.recordBeat(ms * 1000);
    health.recordReply(ms * 1000, 50);
  }
  health.recordReply(60_000, 1000);
  const overBudgetCounts = Object.entries(health.report().timings).map(([name, timing]) => [
    name,
    timing.over_budget,
  ]);
  assert.deepEqual(Object.fromEntries(overBudgetCounts), {
    observation: 3,
    simulation: 3,
    reply: 1,
    event_loop: 1,
    timeout_lateness: 1,
  });
});

test("reports quantiles as close upper bounds, capped at the maximum", () => {
  const { health } = healthAt(0);
  for (let duration = 1; duration <= 1000; duration += 1)
    health.recordDuration("simulation", duration);
  health.recordDuration("simulation", 20_000);
  const { simulation } = health.report().timings;
  assert.equal(simulation.count, 1001);
  assert.equal(simulation.max_ms, 20);
  assert.equal(simulation.over_budget, 1);
  for (const [quantile, expectedMs] of [
    [simulation.p50_ms, 0.5],
    [simulation.p95_ms, 0.95],
    [simulation.p99_ms, 0.99],
  ] as const)
    assert.ok(
      quantile !== null && quantile >= expectedMs && quantile <= expectedMs * 1.2,
      `${quantile} ${expectedMs}`,
    );
});

test("puts each duration into the smallest bucket that fits", () => {
  const quarterOctave = 2 ** 0.25;
  for (const duration of [0, 0.5, 1, 2, 3, 7, 1023, 1024, 123_457, 2 ** 31 - 2]) {
    const { health } = healthAt(0);
    health.recordDuration("simulation", duration);
    health.recordDuration("simulation", 1e12);
    const { p50_ms } = health.report().timings.simulation;
    assert.ok(p50_ms !== null);
    const microseconds = Math.round(p50_ms * 1000);
    const upperBound = (duration + 1) * quarterOctave - 1;
    assert.ok(
      microseconds >= Math.floor(duration) && microseconds <= Math.round(upperBound),
      `${duration}`,
    );
  }
  const { health } = healthAt(0);
  for (const duration of [-5, 2 ** 31 - 1, 1e12]) health.recordDuration("simulation", duration);
  const { count, p50_ms, max_ms } = health.report().timings.simulation;
  assert.deepEqual([count, max_ms], [3, 1e9]);
  assert.ok(p50_ms !== null && p50_ms > 2 ** 31 / 1000);
});

test("counts house bot faults separately", () => {
  const { clock, health } = healthAt(0);
  health.countHouseFault("restarts");
  clock.at += 60_000_000;
  health.recordBeat(0);
  health.countHouseFault("failed_turns");
  health.countHouseFault("failed_turns");
  assert.deepEqual(health.report().house, { restarts: 1, failed_turns: 2 });
  clock.at += 299_000_000;
  health.recordBeat(0);
  assert.deepEqual(health.report().house, { restarts: 0, failed_turns: 2 });
});

test("expires data older than the window", () => {
  const { clock, health } = healthAt(0);
  health.countTurn("timeouts");
  health.recordSend(0, 900);
  health.recordSend(900, 400);
  health.recordMatch({ turns: 120, moves: 80, dashes: 10, duration: 3_000_000 });
  health.recordMatch({ turns: 60, moves: 41, dashes: 5, duration: 1_500_000 });
  clock.at += 299_000_000;
  health.recordBeat(0);
  health.countTurn("valid");
  assert.deepEqual(health.report().turns, { valid: 1, invalid: 0, timeouts: 1, disconnected: 0 });
  assert.deepEqual(health.report().sends, { total: 2, backpressured: 1, max_buffered_bytes: 900 });
  assert.deepEqual(health.report().games, {
    count: 2,
    mean_turns: 90,
    mean_moves: 60.5,
    mean_dashes: 7.5,
    mean_duration_ms: 2250,
    max_duration_ms: 3000,
    ms_per_turn: 25,
  });
  clock.at += 2_000_000;
  health.recordBeat(0);
  assert.deepEqual(health.report().turns, { valid: 1, invalid: 0, timeouts: 0, disconnected: 0 });
  const { count, ...means } = health.report().games;
  assert.deepEqual([count, new Set(Object.values(means))], [0, new Set([null])]);
  assert.equal(health.report().observed_seconds, 300);
});

test("the event loop is late while the average lateness over three seconds exceeds its budget", () => {
  const { clock, health } = healthAt(0);
  assert.equal(health.isLate(), false, "before the first beat");
  const beatRepeatedly = (count: number, latenessMs: number) => {
    for (let beat = 0; beat < count; beat += 1) {
      clock.at += 100_000;
      health.recordBeat(latenessMs * 1000);
    }
  };
  beatRepeatedly(30, 1);
  health.recordBeat(900_000);
  assert.equal(health.isLate(), false, "a single garbage collection pause");
  beatRepeatedly(30, 51);
  assert.equal(health.isLate(), true);
  beatRepeatedly(30, 1);
  assert.equal(health.isLate(), false);
});
