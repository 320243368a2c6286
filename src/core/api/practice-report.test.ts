import assert from "node:assert/strict";
import { test } from "node:test";

import { practiceFindings } from "./practice-report.ts";
import type { PracticeFinding, PracticeFindingTopic } from "./practice-report.ts";
import type { PracticeResult } from "./practice.ts";

const CLEAN_RESULT: PracticeResult = {
  winner: "starter",
  reason: "last_standing",
  replies: 90,
  p50_ms: 10,
  p95_ms: 25,
  max_ms: 31.5,
  idles: {},
  refused: {},
  errors: [],
};

const findingTexts = (findings: PracticeFinding[]) => findings.map(({ text }) => text).join("\n");

const findingsFor = (changes: Partial<PracticeResult>) =>
  practiceFindings({ ...CLEAN_RESULT, ...changes }, { botId: "me", tickMs: 1000 });

test("doesn't report a lost game as a problem", () => {
  const { summary, problems, warnings } = findingsFor({});
  assert.deepEqual([problems, warnings], [[], []]);
  assert.match(
    summary.join(" "),
    /is lost: knockout\. It answered 90 times: p50 .* 10 ms, p95 ≤ 25 ms, max 31\.5 ms/,
  );
});

for (const [description, changes, lines] of [
  ["is won", { winner: "me" }, /is won/],
  ["is drawn", { winner: null, reason: "timeout_draw" }, /is drawn/],
  [
    "was answered quickly",
    { p50_ms: 4.2, p95_ms: 4.2, max_ms: 4.2 },
    /90 times: all within 4\.2 ms/,
  ],
  ["was never answered", { replies: 0, max_ms: null }, /sent no answers/],
] as const)
  test(`reports when the game ${description}`, () => {
    assert.match(findingsFor(changes).summary.join(" "), lines);
  });

for (const [description, topic, changes, lines] of [
  ["late answers", "time", { idles: { timeout: 2 } }, /^2 ticks .* within 1000 ms\. Answer sooner/],
  [
    "frames that are not JSON",
    "failed ticks",
    { idles: { malformed_json: 1 } },
    /^1 tick .* not JSON/,
  ],
  ["answers that are not turns", "failed ticks", { idles: { schema: 1 } }, /not a turn/],
  ["a lost connection", "failed ticks", { idles: { disconnected: 3 } }, /was not connected/],
  ["no ready in time", "leaving", { reason: "forfeit" }, /did not send ready in time/],
  ["a disqualification", "failed ticks", { reason: "disqualification" }, /failed too many ticks/],
  [
    "an error that the server sent",
    "error codes",
    { errors: [{ tick: 3, code: "rate_limited", message: "Too many messages." }] },
    /^Error in tick 3 \(rate_limited\): Too many messages\./,
  ],
] satisfies [string, PracticeFindingTopic, Partial<PracticeResult>, RegExp][])
  test(`reports a problem for ${description}`, () => {
    const { problems } = findingsFor(changes);
    assert.deepEqual(
      problems.map((singleError) => singleError.topic),
      [topic],
    );
    assert.match(findingTexts(problems), lines);
  });

test("doesn't report an opponent's forfeit as a problem", () => {
  assert.deepEqual(findingsFor({ winner: "me", reason: "forfeit" }).problems, []);
});

test("reports the first error for each code", () => {
  const errors = [4, 5, 6].map((tick) => ({ tick, code: "schema", message: `at ${tick}` }));
  const { problems } = findingsFor({ idles: { schema: 3 }, errors });
  assert.equal(problems.length, 2);
  assert.match(problems[1]!.text, /tick 4 .* at 4/);
});

test("ignores an occasional blocked step, but reports 10 in 90", () => {
  assert.deepEqual(findingsFor({ refused: { blocked: 9 } }).warnings, []);
  const { warnings } = findingsFor({ refused: { blocked: 10 } });
  assert.match(findingTexts(warnings), /blocked\): something is in the way/);
});

test("reports refused parts and slow replies as warnings", () => {
  const { problems, warnings } = findingsFor({ refused: { not_ready: 4 }, max_ms: 900 });
  assert.deepEqual(problems, []);
  assert.match(findingTexts(warnings), /^4 ticks .*not_ready\): cooling down.*\n.*900 of 1000 ms/);
});
