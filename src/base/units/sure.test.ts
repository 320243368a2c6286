import assert from "node:assert/strict";
import { it } from "node:test";

import { bothOf, sure } from "./sure.ts";

it("returns any value that is present", () => {
  for (const value of [0, "", false, null, Number.NaN]) assert.equal(sure(value, "value"), value);
});

it("throws, naming it, where a value is missing", () => {
  assert.throws(() => sure([].at(-1), "last tick"), new Error("there is no last tick"));
});

it("takes the first two, and no fewer", () => {
  assert.deepEqual(bothOf(["a", "b", "c"]), ["a", "b"]);
  assert.throws(() => bothOf(["a"]), new Error("there is no second"));
});
