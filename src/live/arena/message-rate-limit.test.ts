import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND_US } from "#base/util/time.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { matchDeadlines } from "#core/protocol/deadlines.ts";

import {
  allowsFrame,
  newMessageRateLimit,
  applyMatchLimit,
  messageRateText,
  applyIdleLimit,
  resetTickFrames,
} from "./message-rate-limit.ts";
import type { MessageRateLimit } from "./message-rate-limit.ts";

const DEADLINES = matchDeadlines(DEFAULT_LIMITS);

/** Returns how many frames are accepted when they arrive `gap` µs apart. */
function countAllowed(
  messageRateLimit: MessageRateLimit,
  frames: number,
  start = 0,
  gapUs = 0,
): number {
  let count = 0;
  for (let frame = 0; frame < frames; frame += 1)
    if (allowsFrame(messageRateLimit, start + frame * gapUs)) count += 1;
  return count;
}

test("accepts 50 frames within a second outside a match and rejects the 51st", () => {
  assert.equal(countAllowed(newMessageRateLimit(DEFAULT_LIMITS), 50, 0, 10), 50);
  assert.equal(countAllowed(newMessageRateLimit(DEFAULT_LIMITS), 51, 0, 10), 50);
});

test("uses a sliding window of one second", () => {
  const messageRateLimit = newMessageRateLimit(DEFAULT_LIMITS);
  assert.equal(countAllowed(messageRateLimit, 1), 1);
  assert.equal(countAllowed(messageRateLimit, 49, 500_000), 49);
  assert.equal(allowsFrame(messageRateLimit, SECOND_US), true);
  assert.equal(allowsFrame(messageRateLimit, SECOND_US), false);
});

test("accepts a steady 50 frames per second", () => {
  assert.equal(countAllowed(newMessageRateLimit(DEFAULT_LIMITS), 500, 0, SECOND_US / 50), 500);
  assert.equal(countAllowed(newMessageRateLimit(DEFAULT_LIMITS), 51, 0, SECOND_US / 51), 50);
});

test("accepts 5 frames per tick and resets with each observation", () => {
  const messageRateLimit = newMessageRateLimit(DEFAULT_LIMITS);
  applyMatchLimit(messageRateLimit, DEADLINES);
  for (let tick = 0; tick < 3; tick += 1) {
    assert.equal(countAllowed(messageRateLimit, 5, 0), 5);
    resetTickFrames(messageRateLimit);
  }
  assert.equal(countAllowed(messageRateLimit, 6), 5);
});

test("outside a match, applies the limit in force when the connection or the last match ended", () => {
  const messageRateLimit = newMessageRateLimit({ messages_per_second: 3 });
  assert.equal(countAllowed(messageRateLimit, 6), 3);
  applyIdleLimit(messageRateLimit, { messages_per_second: 5 });
  assert.equal(countAllowed(messageRateLimit, 6), 5);
});

test("in a match, applies the limit in force when the match started", () => {
  const messageRateLimit = newMessageRateLimit(DEFAULT_LIMITS);
  applyMatchLimit(messageRateLimit, { ...DEADLINES, messages_per_tick: 2 });
  assert.equal(countAllowed(messageRateLimit, 6), 2);
});

test("counts match start-up as one tick", () => {
  const messageRateLimit = newMessageRateLimit(DEFAULT_LIMITS);
  countAllowed(messageRateLimit, 40);
  applyMatchLimit(messageRateLimit, DEADLINES);
  assert.equal(countAllowed(messageRateLimit, 6), 5);
});

test("resets the count when a match ends", () => {
  const messageRateLimit = newMessageRateLimit(DEFAULT_LIMITS);
  countAllowed(messageRateLimit, 50);
  applyMatchLimit(messageRateLimit, DEADLINES);
  countAllowed(messageRateLimit, 5);
  applyIdleLimit(messageRateLimit, DEFAULT_LIMITS);
  assert.equal(countAllowed(messageRateLimit, 51), 50);
});

test("ignores an observation outside a match", () => {
  const messageRateLimit = newMessageRateLimit(DEFAULT_LIMITS);
  resetTickFrames(messageRateLimit);
  assert.equal(countAllowed(messageRateLimit, 51), 50);
});

test("names the exceeded limit in the error message", () => {
  const messageRateLimit = newMessageRateLimit({ messages_per_second: 7 });
  assert.match(messageRateText(messageRateLimit), /Bots may send 7 per second outside a match/);
  applyMatchLimit(messageRateLimit, { ...DEADLINES, messages_per_tick: 2 });
  assert.match(messageRateText(messageRateLimit), /Bots may send 2 per tick in a match/);
});
