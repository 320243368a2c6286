import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { openVitals } from "./process-vitals.ts";

function steppedClock() {
  let at = 0;
  let next: (() => void) | null = null;
  return {
    now: () => at,
    wall: () => new Date(Date.UTC(2026, 0, 5) + at / 1000),
    after: (ms: number, call: () => void) => {
      next = () => {
        at += ms * 1000;
        call();
      };
      return () => (next = null);
    },
    step: () => next?.(),
    isIdle: () => next === null,
  };
}

test("keeps one sample per second for a limited time", () => {
  const clock = steppedClock();
  let running = 0;
  const vitals = openVitals(clock, () => (running += 1));
  assert.deepEqual(vitals.read().samples, []);
  for (let at = 0; at < FIXED_LIMITS.profiling_samples + 3; at += 1) clock.step();
  const { samples } = vitals.read();
  assert.equal(samples.length, FIXED_LIMITS.profiling_samples);
  assert.deepEqual([samples[0]?.running, samples.at(-1)?.running], [4, 123]);
  assert.equal(samples[0]?.at, "2026-01-05T00:00:04.000Z");
  assert.ok(samples.every(({ rss_bytes, heap_used_bytes }) => rss_bytes > heap_used_bytes));
  vitals.stop();
  assert.ok(clock.isIdle());
});

test("reports CPU time and garbage collection", async () => {
  const vitals = openVitals(steppedClock(), () => 0);
  const firstRead = vitals.read();
  let garbage: object[] = [];
  while (vitals.read().gc.every(({ count }) => count === 0)) {
    garbage = Array.from({ length: 300_000 }, (_, at) => ({ at }));
    await pause(1);
  }
  assert.equal(garbage.length, 300_000);
  const { gc, process } = vitals.read();
  const [collection] = gc.filter(({ count }) => count > 0);
  assert.ok(collection!.total_ms > 0 && collection!.max_ms <= collection!.total_ms + 0.001);
  assert.ok(process.cpu_user_ms > firstRead.process.cpu_user_ms);
  const { active_ms, utilization, max_ms, p50_ms } = process.event_loop;
  assert.ok(active_ms > 0 && utilization > 0 && utilization <= 1 && p50_ms <= max_ms);
  vitals.stop();
});
