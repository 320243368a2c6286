import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND } from "#base/units/time.ts";
import { deadlinesOf } from "#core/protocol/deadlines.ts";
import { LIMITS } from "#core/words/limits.ts";

import { admits, calm, enterMatch, floodText, leaveMatch, noteObservation } from "./flood.ts";
import type { Flood } from "./flood.ts";

const FIVE = deadlinesOf(LIMITS);

/** How many of `frames` frames, `gap` µs apart, are admitted. */
function admitted(flood: Flood, frames: number, start = 0, gap = 0): number {
  let count = 0;
  for (let frame = 0; frame < frames; frame += 1)
    if (admits(flood, start + frame * gap)) count += 1;
  return count;
}

test("fifty frames within a second pass outside a match, the next does not", () => {
  assert.equal(admitted(calm(LIMITS), 50, 0, 10), 50);
  assert.equal(admitted(calm(LIMITS), 51, 0, 10), 50);
});

test("the second slides: a frame a second old no longer counts", () => {
  const flood = calm(LIMITS);
  assert.equal(admitted(flood, 1), 1);
  assert.equal(admitted(flood, 49, 500_000), 49);
  assert.equal(admits(flood, SECOND), true);
  assert.equal(admits(flood, SECOND), false);
});

test("fifty a second pass forever", () => {
  assert.equal(admitted(calm(LIMITS), 500, 0, SECOND / 50), 500);
  assert.equal(admitted(calm(LIMITS), 51, 0, SECOND / 51), 50);
});

test("five frames pass in a tick and again after each observation", () => {
  const flood = calm(LIMITS);
  enterMatch(flood, FIVE);
  for (let tick = 0; tick < 3; tick += 1) {
    assert.equal(admitted(flood, 5, 0), 5);
    noteObservation(flood);
  }
  assert.equal(admitted(flood, 6), 5);
});

test("a second outside allows as many as when the connection began, or its last match ended", () => {
  const flood = calm({ messages_per_second: 3 });
  assert.equal(admitted(flood, 6), 3);
  leaveMatch(flood, { messages_per_second: 5 });
  assert.equal(admitted(flood, 6), 5);
});

test("a match allows as many frames as when it began, whatever the limit is now", () => {
  const flood = calm(LIMITS);
  enterMatch(flood, { ...FIVE, messages_per_tick: 2 });
  assert.equal(admitted(flood, 6), 2);
});

test("the start-up of a match counts as one tick", () => {
  const flood = calm(LIMITS);
  admitted(flood, 40);
  enterMatch(flood, FIVE);
  assert.equal(admitted(flood, 6), 5);
});

test("frames sent in a match or before it no longer count after it", () => {
  const flood = calm(LIMITS);
  admitted(flood, 50);
  enterMatch(flood, FIVE);
  admitted(flood, 5);
  leaveMatch(flood, LIMITS);
  assert.equal(admitted(flood, 51), 50);
});

test("an observation outside a match changes nothing", () => {
  const flood = calm(LIMITS);
  noteObservation(flood);
  assert.equal(admitted(flood, 51), 50);
});

test("a bot that is refused is told the limit that it exceeded", () => {
  const flood = calm({ messages_per_second: 7 });
  assert.match(floodText(flood), /outside a match a bot may send 7 a second/);
  enterMatch(flood, { ...FIVE, messages_per_tick: 2 });
  assert.match(floodText(flood), /in a match a bot may send 2 a tick/);
});
