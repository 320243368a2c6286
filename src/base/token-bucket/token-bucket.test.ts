import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { SECOND_US } from "#base/util/time.ts";

import { openTokenBucket } from "./token-bucket.ts";

const RATE = { perSecond: 50, burst: 200 };

function countAdmitted(
  throttle: ReturnType<typeof openTokenBucket>,
  count: number,
  now: number,
): number {
  return Array.from({ length: count }, () => throttle("a", now)).filter((wait) => wait === 0)
    .length;
}

describe("a throttle", () => {
  it("admits a burst, then requests at the refill rate", () => {
    const throttle = openTokenBucket(RATE);
    assert.equal(countAdmitted(throttle, 500, 0), 200);
    assert.equal(countAdmitted(throttle, 500, SECOND_US), 50);
    assert.equal(countAdmitted(throttle, 500, 1.5 * SECOND_US), 25);
    assert.equal(countAdmitted(throttle, 500, 100 * SECOND_US), 200);
  });

  it("returns the wait, and admits the caller after it", () => {
    const throttle = openTokenBucket({ perSecond: 5, burst: 20 });
    countAdmitted(throttle, 20, 0);
    const wait = throttle("a", 0);
    assert.equal(wait, SECOND_US / 5);
    assert.ok(throttle("a", wait - 1) > 0);
    assert.equal(throttle("a", wait), 0);
  });

  it("limits callers separately", () => {
    const throttle = openTokenBucket({ perSecond: 1, burst: 1 });
    assert.deepEqual([throttle("a", 0), throttle("b", 0)], [0, 0]);
    assert.deepEqual([throttle("a", 0), throttle("b", 0)], [SECOND_US, SECOND_US]);
  });

  it("never admits more than the burst and rate allow", () => {
    const times = fc.array(fc.integer({ min: 0, max: 10 * SECOND_US }), { maxLength: 400 });
    fc.assert(
      fc.property(times, (unsorted) => {
        const throttle = openTokenBucket({ perSecond: 7, burst: 5 });
        const sorted = unsorted.toSorted((callerA, callerB) => callerA - callerB);
        const admittedCount = sorted.filter((now) => throttle("a", now) === 0);
        for (const [first, start] of admittedCount.entries())
          for (const [extraWait, end] of admittedCount.slice(first).entries())
            assert.ok(extraWait + 1 <= 5 + ((end - start) * 7) / SECOND_US + 1e-6);
      }),
    );
  });

  it("limits new callers when full, and evicts the least recently seen caller", () => {
    const throttle = openTokenBucket({ perSecond: 1, burst: 1 }, 3);
    for (const caller of ["a", "b", "c"]) assert.equal(throttle(caller, 0), 0);
    assert.ok(throttle("a", 0) > 0, "a refused request counts as seen");
    assert.equal(throttle("d", 0), 0);
    for (const caller of ["d", "a", "c"]) assert.ok(throttle(caller, 0) > 0, caller);
    assert.equal(throttle("b", 0), 0, "b was forgotten");
  });
});
