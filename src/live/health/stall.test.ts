import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { watchStalls } from "./stall.ts";

/** A watch, and the stalls it reported as [moment, lateness] in ms. */
function watched() {
  const clock = fakeClock();
  const stalls: [at: number, lateness: number][] = [];
  const watch = watchStalls(
    clock,
    (at, lateness) => stalls.push([at / 1000, lateness / 1000]),
    () => {},
  );
  return { clock, watch, stalls };
}

test("time that passes tick by tick is no stall", () => {
  const { clock, stalls } = watched();
  clock.pass(60_000);
  assert.deepEqual(stalls, []);
});

test("a process that stood still for longer than 250 ms after a beat was due has stalled", () => {
  const { clock, stalls } = watched();
  clock.pass(1000);
  clock.stall(350);
  assert.deepEqual(stalls, []);
  clock.pass(100);
  clock.stall(351);
  clock.pass(1000);
  assert.deepEqual(stalls, [[1801, 251]]);
});

test("is noticed by whatever runs first, and reported once", () => {
  const { clock, watch, stalls } = watched();
  watch.check(5_000_000);
  watch.check(5_000_000);
  assert.deepEqual(stalls, [[5000, 4900]]);
  clock.stall(5000);
  assert.equal(stalls.length, 1);
});

test("is noticed before a timer of the watched clock is called, also one due before the beat", () => {
  const { clock, watch, stalls } = watched();
  const seen: number[] = [];
  watch.clock.after(50, () => seen.push(stalls.length));
  watch.clock.after(2000, () => seen.push(stalls.length));
  clock.stall(3000);
  assert.deepEqual(seen, [1, 1]);
});

test("a cancelled timer of the watched clock is not called", () => {
  const { clock, watch } = watched();
  const cancel = watch.clock.after(50, () => assert.fail("it was cancelled"));
  cancel();
  clock.pass(100);
});

test("stops with its last timer", () => {
  const { clock, watch, stalls } = watched();
  watch.stop();
  clock.stall(9000);
  assert.equal(clock.armed(), 0);
  assert.deepEqual(stalls, []);
});
