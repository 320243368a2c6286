import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { HealthView } from "#core/operator/health.ts";
import { PAIRING_WORDS } from "#core/operator/pairing-words.ts";
import { HEALTH_TIMINGS } from "#core/words/health.ts";
import type { HealthTiming } from "#core/words/health.ts";
import { sampleHealth } from "#testing/fixtures/sample-health.ts";

import { spanWords } from "./figure-words.ts";
import { topOf } from "./plot.ts";
import { spanIn } from "./span.ts";
import { verdictOn } from "./verdict.ts";

/** N of 1,000 timings are over budget. */
function slow(timing: HealthTiming, over_budget: number): HealthView {
  const health = sampleHealth();
  return {
    ...health,
    timings: { ...health.timings, [timing]: { ...health.timings[timing], over_budget } },
  };
}

const STUCK: HealthView["pairing"][number] = {
  ladder_id: "evening",
  waiting: 5,
  waiting_house: 0,
  longest_wait_s: 40,
  since_start_s: null,
  blocked_by: "one_owner",
  reason: PAIRING_WORDS.one_owner,
};

describe("a verdict on health", () => {
  it("is well without troubles and notes when nothing is over its budget", () => {
    assert.deepEqual(verdictOn(sampleHealth()), { state: "well", troubles: [], notes: [] });
  });

  for (const timing of HEALTH_TIMINGS)
    it(`knows when ${timing} is over its budget, and whose fault it is`, () => {
      assert.equal(verdictOn(slow(timing, 10)).state, "well");
      const { state, troubles, notes } = verdictOn(slow(timing, 11));
      const isOfBots = timing === "reply";
      assert.equal(state, isOfBots ? "well" : "ill");
      assert.deepEqual([troubles.length, notes.length], isOfBots ? [0, 1] : [1, 0]);
    });

  it("is well on an idle server two minutes after the start: 8 of 1,084 samples were late", () => {
    const health = sampleHealth({ uptime_seconds: 120 });
    const event_loop = { ...health.timings.event_loop, count: 1084, over_budget: 8, p99_ms: 55 };
    const { state } = verdictOn({ ...health, timings: { ...health.timings, event_loop } });
    assert.equal(state, "well");
  });

  it("is quiet before anything was timed", () => {
    const health = sampleHealth();
    const event_loop = { ...health.timings.event_loop, count: 0, p99_ms: null };
    const { state } = verdictOn({ ...health, timings: { ...health.timings, event_loop } });
    assert.equal(state, "quiet");
  });

  const NOTES: [changes: Partial<HealthView>, words: RegExp][] = [
    [{ observed_seconds: 20 }, /less than 300 s/],
    [{ capacity: { running: 0, max: 0 } }, /max_concurrent is 0/],
    [{ capacity: { running: 320, max: 320 } }, /bots wait for room/],
    [{ turns: { valid: 90, invalid: 2, timeouts: 5, disconnected: 3 } }, /^10\.0 % of the turns/],
    [{ pairing: [STUCK] }, /^Ladder evening: 5 bots are waiting and no match starts\. All waiting/],
    [{ floods: { last_hour: 7, bots: 1, suspended: 1 } }, /^Flooding bots in the last hour: 1,/],
    [{ sends: { total: 100, backpressured: 6, max_buffered_bytes: 1 } }, /^6\.0 % of the messages/],
  ];
  for (const [changes, words] of NOTES)
    it(`notes what is no fault of the server: ${words.source}`, () => {
      const { state, notes } = verdictOn(sampleHealth(changes));
      assert.equal(state, "well");
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? "", words);
    });
});

describe("figures in words and drawings", () => {
  it("give a length of time by its two largest units", () => {
    const cases: [seconds: number, words: string][] = [
      [0, "0 s"],
      [59.9, "59 s"],
      [3600, "1 h"],
      [3661, "1 h 1 min"],
      [90_000, "1 d 1 h"],
    ];
    for (const [seconds, words] of cases) assert.equal(spanWords(seconds), words);
  });

  it("leave room above the highest value", () => {
    const line = (...values: (number | null)[]) =>
      ({ title: "", tone: "a", kind: "line", values }) as const;
    assert.equal(topOf([line(null, 0)]), 1);
    assert.ok(topOf([line(3, null), line(20, 1)]) > 20);
  });

  it("read the days of an address, and no others", () => {
    assert.deepEqual(spanIn("2026-01-05..2026-02-03"), { from: "2026-01-05", to: "2026-02-03" });
    for (const text of [null, "", "2026-01-05", "2026-02-30..2026-03-01", "a..b"])
      assert.equal(spanIn(text), null);
  });
});
