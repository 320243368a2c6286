import assert from "node:assert/strict";
import { it } from "node:test";

import { firstTwo, assertDefined } from "./assert-defined.ts";

it("returns any value that is present", () => {
  for (const value of [0, "", false, null, Number.NaN])
    assert.equal(assertDefined(value, "value"), value);
});

it("throws an error with the description of a missing value", () => {
  assert.throws(() => assertDefined([].at(-1), "last tick"), new Error("there is no last tick"));
});

it("takes the first two, and requires two", () => {
  assert.deepEqual(firstTwo(["a", "b", "c"]), ["a", "b"]);
  assert.throws(() => firstTwo(["a"]), new Error("there is no second"));
});
