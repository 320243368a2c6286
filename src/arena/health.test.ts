import assert from "node:assert/strict";
import { test } from "node:test";

import { openHealth } from "./health.ts";

function healthAt(start: number) {
  const clock = { at: start, now: () => clock.at };
  return { clock, health: openHealth(clock) };
}

test("durations are null before anything was timed", () => {
  const { health } = healthAt(5_000_000);
  const { timings, observed_seconds } = health.report();
  assert.equal(observed_seconds, 0);
  const nothing = { mean_ms: null, p50_ms: null, p95_ms: null, p99_ms: null, max_ms: null };
  assert.deepEqual(timings.reply, { count: 0, ...nothing, over_budget: 0 });
});

test("quantiles are upper bounds near the truth and never above the maximum", () => {
  const { health } = healthAt(0);
  for (let duration = 1; duration <= 1000; duration += 1) health.time("simulation", duration);
  health.time("simulation", 20_000);
  const { simulation } = health.report().timings;
  assert.equal(simulation.count, 1001);
  assert.equal(simulation.max_ms, 20);
  assert.equal(simulation.over_budget, 1);
  for (const [figure, truth] of [
    [simulation.p50_ms, 0.5],
    [simulation.p95_ms, 0.95],
    [simulation.p99_ms, 0.99],
  ] as const)
    assert.ok(figure !== null && figure >= truth && figure <= truth * 1.2, `${figure} ${truth}`);
});

test("faults of house bots are counted apart", () => {
  const { clock, health } = healthAt(0);
  health.house("restarts");
  clock.at += 60_000_000;
  health.beat(0);
  health.house("failed_turns");
  health.house("failed_turns");
  assert.deepEqual(health.report().house, { restarts: 1, failed_turns: 2 });
  clock.at += 299_000_000;
  health.beat(0);
  assert.deepEqual(health.report().house, { restarts: 0, failed_turns: 2 });
});

test("what is older than the window is forgotten", () => {
  const { clock, health } = healthAt(0);
  health.turn("timeouts");
  health.sent(900, true);
  health.game(120, 3_000_000);
  clock.at += 299_000_000;
  health.beat(0);
  health.turn("valid");
  assert.deepEqual(health.report().turns, { valid: 1, invalid: 0, timeouts: 1, disconnected: 0 });
  assert.deepEqual(health.report().sends, { total: 1, backpressured: 1, max_buffered_bytes: 900 });
  assert.deepEqual(health.report().games, { count: 1, mean_turns: 120, mean_duration_ms: 3000 });
  clock.at += 2_000_000;
  health.beat(0);
  assert.deepEqual(health.report().turns, { valid: 1, invalid: 0, timeouts: 0, disconnected: 0 });
  assert.equal(health.report().games.mean_turns, null);
  assert.equal(health.report().observed_seconds, 300);
});
