import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PAIRING_BLOCK_TEXT } from "#core/api/pairing-block-text.ts";
import type { HealthView } from "#core/api/server-health.ts";
import { HEALTH_TIMINGS } from "#core/ids/health-timings.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";
import { sampleHealth } from "#testing/fixtures/sample-health.ts";

import { parseDayRange } from "./day-range.ts";
import { assessHealth } from "./health-verdict.ts";
import { formatDuration } from "./metric-format.ts";
import { axisMaximum } from "./plot.ts";

/** Returns a health sample in which `over_budget` out of 1,000 measurements exceed the budget. */
function slowTiming(timing: HealthTiming, over_budget: number): HealthView {
  const healthView = sampleHealth();
  return {
    ...healthView,
    timings: { ...healthView.timings, [timing]: { ...healthView.timings[timing], over_budget } },
  };
}

const STUCK: HealthView["pairing"][number] = {
  ladder_id: "evening",
  waiting: 5,
  waiting_house: 0,
  longest_wait_s: 40,
  since_start_s: null,
  blocked_by: "one_owner",
  reason: PAIRING_BLOCK_TEXT.one_owner,
};

describe("health verdict", () => {
  it("is ok without notes when every timing is within budget", () => {
    assert.deepEqual(assessHealth(sampleHealth()), { state: "well", problems: [], notes: [] });
  });

  for (const timing of HEALTH_TIMINGS)
    it(`reports that ${timing} is over budget, with the cause`, () => {
      assert.equal(assessHealth(slowTiming(timing, 10)).state, "well");
      const { state, problems, notes } = assessHealth(slowTiming(timing, 11));
      const isBotTiming = timing === "reply";
      assert.equal(state, isBotTiming ? "well" : "ill");
      assert.deepEqual([problems.length, notes.length], isBotTiming ? [0, 1] : [1, 0]);
    });

  it("is ok on an idle server two minutes after startup with 8 of 1,084 samples late", () => {
    const healthView = sampleHealth({ uptime_seconds: 120 });
    const event_loop = {
      ...healthView.timings.event_loop,
      count: 1084,
      over_budget: 8,
      p99_ms: 55,
    };
    const { state } = assessHealth({
      ...healthView,
      timings: { ...healthView.timings, event_loop },
    });
    assert.equal(state, "well");
  });

  it("is unknown before the first sample", () => {
    const healthView = sampleHealth();
    const event_loop = { ...healthView.timings.event_loop, count: 0, p99_ms: null };
    const { state } = assessHealth({
      ...healthView,
      timings: { ...healthView.timings, event_loop },
    });
    assert.equal(state, "quiet");
  });

  const NO_NOTES: [changes: Partial<HealthView>, words: RegExp][] = [
    [{ observed_seconds: 20 }, /less than 300 s/],
    [{ capacity: { running: 0, max: 0 } }, /max_concurrent is 0/],
    [{ capacity: { running: 320, max: 320 } }, /bots are waiting/],
    [{ turns: { valid: 90, invalid: 2, timeouts: 5, disconnected: 3 } }, /^10\.0 % of turns/],
    [{ pairing: [STUCK] }, /^Ladder evening: 5 bots are waiting and no match starts\. All waiting/],
    [{ floods: { last_hour: 7, bots: 1, suspended: 1 } }, /^Flooding bots in the last hour: 1,/],
    [{ sends: { total: 100, backpressured: 6, max_buffered_bytes: 1 } }, /^6\.0 % of messages/],
  ];
  for (const [changes, expectedText] of NO_NOTES)
    it(`notes a problem outside the server: ${expectedText.source}`, () => {
      const { state, notes } = assessHealth(sampleHealth(changes));
      assert.equal(state, "well");
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? "", expectedText);
    });
});

describe("number formats and charts", () => {
  it("formats a duration with its two largest units", () => {
    const verdictCases: [seconds: number, words: string][] = [
      [0, "0 s"],
      [59.9, "59 s"],
      [3600, "1 h"],
      [3661, "1 h 1 min"],
      [90_000, "1 d 1 h"],
    ];
    for (const [seconds, expectedText] of verdictCases)
      assert.equal(formatDuration(seconds), expectedText);
  });

  it("leaves room above the highest value", () => {
    const line = (...values: (number | null)[]) =>
      ({ title: "", tone: "a", kind: "line", values }) as const;
    assert.equal(axisMaximum([line(null, 0)]), 1);
    assert.ok(axisMaximum([line(3, null), line(20, 1)]) > 20);
  });

  it("parses valid date ranges only", () => {
    assert.deepEqual(parseDayRange("2026-01-05..2026-02-03"), {
      from: "2026-01-05",
      to: "2026-02-03",
    });
    for (const text of [null, "", "2026-01-05", "2026-02-30..2026-03-01", "a..b"])
      assert.equal(parseDayRange(text), null);
  });
});
