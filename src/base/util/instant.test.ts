import assert from "node:assert/strict";
import { it } from "node:test";

import fc from "fast-check";

import { msToInstant, instantToMs } from "./instant.ts";

it("converts instants in both directions like Date", () => {
  const instants = fc.date({
    min: new Date("1970-01-01T00:00:00.000Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      assert.equal(msToInstant(date.getTime()), date.toISOString());
      assert.equal(instantToMs(date.toISOString()), date.getTime());
    }),
  );
});

it("rejects invalid instants", () => {
  for (const text of ["", "2026-11-23", "2026-02-30T00:00:00.000Z", "2026-11-23T12:09:30Z"])
    assert.throws(() => instantToMs(text), text);
});
