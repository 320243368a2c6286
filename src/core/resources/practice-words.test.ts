import assert from "node:assert/strict";
import { test } from "node:test";

import { findingsOf } from "./practice-words.ts";
import type { Finding, FindingTopic } from "./practice-words.ts";
import type { PracticeResult } from "./practice.ts";

const SOUND: PracticeResult = {
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

const linesOf = (findings: Finding[]) => findings.map(({ text }) => text).join("\n");

const found = (changes: Partial<PracticeResult>) =>
  findingsOf({ ...SOUND, ...changes }, { botId: "me", tickMs: 1000 });

test("a lost game is nothing to mend", () => {
  const { about, wrong, odd } = found({});
  assert.deepEqual([wrong, odd], [[], []]);
  assert.match(
    about.join(" "),
    /is lost: knockout\. It answered 90 times: half .* 10 ms, 95 % within 25 ms, the slowest in 31\.5 ms/,
  );
});

for (const [what, changes, said] of [
  ["is won", { winner: "me" }, /is won/],
  ["is drawn", { winner: null, reason: "timeout_draw" }, /is drawn/],
  [
    "was answered quickly",
    { p50_ms: 4.2, p95_ms: 4.2, max_ms: 4.2 },
    /90 times: all within 4\.2 ms/,
  ],
  ["was never answered", { replies: 0, max_ms: null }, /answered nothing/],
] as const)
  test(`it is told when the game ${what}`, () => {
    assert.match(found(changes).about.join(" "), said);
  });

for (const [what, topic, changes, said] of [
  ["late answers", "time", { idles: { timeout: 2 } }, /^2 ticks .* within 1000 ms\. Answer sooner/],
  [
    "frames that are no JSON",
    "failed ticks",
    { idles: { malformed_json: 1 } },
    /^1 tick .* no JSON/,
  ],
  ["answers that are no turn", "failed ticks", { idles: { schema: 1 } }, /no turn/],
  ["a lost connection", "failed ticks", { idles: { disconnected: 3 } }, /was not connected/],
  ["no ready in time", "leaving", { reason: "forfeit" }, /did not say ready in time/],
  ["a disqualification", "failed ticks", { reason: "disqualification" }, /failed too many ticks/],
  [
    "an error that the server sent",
    "error codes",
    { errors: [{ tick: 3, code: "rate_limited", message: "Too many messages." }] },
    /^In tick 3 the server said rate_limited: Too many messages\./,
  ],
] satisfies [string, FindingTopic, Partial<PracticeResult>, RegExp][])
  test(`it is wrong to have ${what}`, () => {
    const { wrong } = found(changes);
    assert.deepEqual(
      wrong.map((one) => one.topic),
      [topic],
    );
    assert.match(linesOf(wrong), said);
  });

test("an opponent that gives up is nobody's fault", () => {
  assert.deepEqual(found({ winner: "me", reason: "forfeit" }).wrong, []);
});

test("of errors of one kind, the first is told", () => {
  const errors = [4, 5, 6].map((tick) => ({ tick, code: "schema", message: `at ${tick}` }));
  const { wrong } = found({ idles: { schema: 3 }, errors });
  assert.equal(wrong.length, 2);
  assert.match(wrong[1]!.text, /tick 4 .* at 4/);
});

test("a step into somebody's way is usual, ten in ninety are not", () => {
  assert.deepEqual(found({ refused: { blocked: 9 } }).odd, []);
  const { odd } = found({ refused: { blocked: 10 } });
  assert.match(linesOf(odd), /blocked\): something is in the way/);
});

test("refused parts and slow answers are worth a look", () => {
  const { wrong, odd } = found({ refused: { not_ready: 4 }, max_ms: 900 });
  assert.deepEqual(wrong, []);
  assert.match(linesOf(odd), /^4 ticks .*not_ready\): cooling down.*\n.*900 of 1000 ms/);
});
