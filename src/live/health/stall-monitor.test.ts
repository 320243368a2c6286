import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";

import { monitorStalls } from "./stall-monitor.ts";

function watchedStalls() {
  const clock = fakeClock();
  const stalls: [at: number, lateness: number][] = [];
  const watch = monitorStalls(
    clock,
    (at, lateness) => stalls.push([at / 1000, lateness / 1000]),
    () => {},
  );
  return { clock, watch, stalls };
}

test("reports no stall when time passes tick by tick", () => {
  const { clock, stalls } = watchedStalls();
  clock.advance(60_000);
  assert.deepEqual(stalls, []);
});

test("reports a stall more than 250 ms after a due heartbeat", () => {
  const { clock, stalls } = watchedStalls();
  clock.advance(1000);
  clock.stall(350);
  assert.deepEqual(stalls, []);
  clock.advance(100);
  clock.stall(351);
  clock.advance(1000);
  assert.deepEqual(stalls, [[1801, 251]]);
});

test("reports a stall once, in the first callback after it", () => {
  const { clock, watch, stalls } = watchedStalls();
  watch.check(5_000_000);
  watch.check(5_000_000);
  assert.deepEqual(stalls, [[5000, 4900]]);
  clock.stall(5000);
  assert.equal(stalls.length, 1);
});

test("reports a stall before any timer of the watched clock runs, even an overdue one", () => {
  const { clock, watch, stalls } = watchedStalls();
  const stallCounts: number[] = [];
  watch.clock.after(50, () => stallCounts.push(stalls.length));
  watch.clock.after(2000, () => stallCounts.push(stalls.length));
  clock.stall(3000);
  assert.deepEqual(stallCounts, [1, 1]);
});

test("never runs a cancelled timer", () => {
  const { clock, watch } = watchedStalls();
  const cancel = watch.clock.after(50, () => assert.fail("it was cancelled"));
  cancel();
  clock.advance(100);
});

test("the monitor stops with its last timer", () => {
  const { clock, watch, stalls } = watchedStalls();
  watch.stop();
  clock.stall(9000);
  assert.equal(clock.armedTimers(), 0);
  assert.deepEqual(stalls, []);
});
