import assert from "node:assert/strict";
import { it } from "node:test";

import { firstTwo, assertDefined } from "./assert-defined.ts";

it("returns falsy values that are defined", () => {
  for (const value of [0, "", false, null, Number.NaN])
    assert.equal(assertDefined(value, "value"), value);
});

it("throws an error that describes the missing value", () => {
  assert.throws(() => assertDefined([].at(-1), "last tick"), new Error("there is no last tick"));
});

it("returns the first two items, and throws if there are fewer", () => {
  assert.deepEqual(firstTwo(["a", "b", "c"]), ["a", "b"]);
  assert.throws(() => firstTwo(["a"]), new Error("there is no second"));
});
