import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { SECOND } from "#base/units/time.ts";

import { openThrottle } from "./token-bucket.ts";

const RATE = { perSecond: 50, burst: 200 };

/** How many of `count` requests at one instant are admitted. */
function admitted(throttle: ReturnType<typeof openThrottle>, count: number, now: number): number {
  return Array.from({ length: count }, () => throttle("a", now)).filter((wait) => wait === 0)
    .length;
}

describe("a throttle", () => {
  it("admits a burst, then the refill rate", () => {
    const throttle = openThrottle(RATE);
    assert.equal(admitted(throttle, 500, 0), 200);
    assert.equal(admitted(throttle, 500, SECOND), 50);
    assert.equal(admitted(throttle, 500, 1.5 * SECOND), 25);
    assert.equal(admitted(throttle, 500, 100 * SECOND), 200);
  });

  it("says how long to wait, and then admits", () => {
    const throttle = openThrottle({ perSecond: 5, burst: 20 });
    admitted(throttle, 20, 0);
    const wait = throttle("a", 0);
    assert.equal(wait, SECOND / 5);
    assert.ok(throttle("a", wait - 1) > 0);
    assert.equal(throttle("a", wait), 0);
  });

  it("keeps callers apart", () => {
    const throttle = openThrottle({ perSecond: 1, burst: 1 });
    assert.deepEqual([throttle("a", 0), throttle("b", 0)], [0, 0]);
    assert.deepEqual([throttle("a", 0), throttle("b", 0)], [SECOND, SECOND]);
  });

  it("never lets more in than burst and rate together, whatever the times", () => {
    const times = fc.array(fc.integer({ min: 0, max: 10 * SECOND }), { maxLength: 400 });
    fc.assert(
      fc.property(times, (unsorted) => {
        const throttle = openThrottle({ perSecond: 7, burst: 5 });
        const sorted = unsorted.toSorted((one, other) => one - other);
        const passed = sorted.filter((now) => throttle("a", now) === 0);
        for (const [first, start] of passed.entries())
          for (const [more, end] of passed.slice(first).entries())
            assert.ok(more + 1 <= 5 + ((end - start) * 7) / SECOND + 1e-6);
      }),
    );
  });

  it("limits newcomers when full, and forgets the least recently seen caller", () => {
    const throttle = openThrottle({ perSecond: 1, burst: 1 }, 3);
    for (const caller of ["a", "b", "c"]) assert.equal(throttle(caller, 0), 0);
    assert.ok(throttle("a", 0) > 0, "a refused request counts as seen");
    assert.equal(throttle("d", 0), 0);
    for (const caller of ["d", "a", "c"]) assert.ok(throttle(caller, 0) > 0, caller);
    assert.equal(throttle("b", 0), 0, "b was forgotten");
  });
});
