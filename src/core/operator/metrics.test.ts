import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openHealth } from "#live/health/health.ts";

import { metricsText } from "./metrics.ts";

function figuresAt(now: () => number) {
  const health = openHealth({ now });
  const text = () =>
    metricsText({
      health: health.report(),
      state: { ok: false, store: true, draining: true },
      capacity: { running: 3, max: 320 },
      online: 9,
      waiting: 2,
    });
  return { health, text };
}

/** A name, its labels in braces or none, and a number: what Prometheus reads. */
const SAMPLE = /^([a-z_]+)(?:\{((?:[a-z_]+="[a-z0-9_]+",?)+)\})? (-?\d+(?:\.\d+)?(?:e-?\d+)?)$/;

/** Values by name and labels. Each name is announced, once, before its first sample. */
function parsed(text: string): Map<string, number> {
  const values = new Map<string, number>();
  const announced: string[] = [];
  assert.ok(text.endsWith("\n"));
  for (const line of text.trimEnd().split("\n")) {
    const [, name] = /^# TYPE (\S+) (?:gauge|counter)$/.exec(line) ?? [];
    if (name !== undefined) announced.push(name);
    if (line.startsWith("#")) {
      assert.match(line, /^# (?:HELP \S+ .+\.|TYPE \S+ (?:gauge|counter))$/);
      continue;
    }
    const sample = SAMPLE.exec(line);
    assert.ok(sample, line);
    const [, known = "", labels = "", value] = sample;
    assert.equal(known, announced.at(-1), line);
    const key = labels === "" ? known : `${known} ${labels}`;
    assert.ok(!values.has(key), `twice: ${key}`);
    values.set(key, Number(value));
  }
  assert.equal(new Set(announced).size, announced.length);
  return values;
}

describe("metrics", () => {
  it("are health in seconds, by timing and kind", () => {
    let now = 0;
    const { health, text } = figuresAt(() => now);
    now = 42_500_000;
    health.beat(1000);
    health.time("observation", 6000);
    health.reply(2_000_000, 1000);
    health.turn("valid");
    health.turn("timeouts");
    health.house("restarts");
    health.sent(10, 900);
    health.game({ turns: 100, moves: 60, dashes: 8, duration: 5_000_000 });
    health.lostResult();
    const values = parsed(text());
    const expected: Record<string, number> = {
      bout_uptime_seconds: 42,
      bout_window_seconds: 42,
      bout_store_up: 1,
      bout_draining: 1,
      bout_matches_running: 3,
      bout_matches_max: 320,
      bout_bots_online: 9,
      bout_results_waiting: 2,
      bout_results_lost_total: 1,
      'bout_timing_seconds timing="observation",statistic="max"': 0.006,
      'bout_timing_seconds timing="event_loop",statistic="mean"': 0.001,
      'bout_timing_seconds timing="reply",statistic="p99"': 2,
      'bout_timing_count timing="reply"': 1,
      'bout_timing_over_budget timing="observation"': 1,
      'bout_timing_over_budget timing="event_loop"': 0,
      'bout_turns kind="valid"': 1,
      'bout_turns kind="timeouts"': 1,
      'bout_turns kind="disconnected"': 0,
      'bout_house_troubles kind="restarts"': 1,
      bout_sends: 1,
      bout_sends_backpressured: 1,
      bout_send_buffer_bytes_max: 900,
      bout_games: 1,
      bout_game_turns_mean: 100,
      'bout_game_duration_seconds statistic="max"': 5,
      bout_game_turn_seconds: 0.05,
    };
    for (const [name, value] of Object.entries(expected))
      assert.equal(values.get(name), value, name);
  });

  it("leave out what has no samples", () => {
    const values = parsed(figuresAt(() => 0).text());
    const names = [...values.keys()];
    assert.equal(values.get('bout_timing_count timing="simulation"'), 0);
    for (const start of ["bout_timing_seconds", "bout_game_"])
      assert.ok(!names.some((name) => name.startsWith(start)), start);
  });
});
