import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parseIsoInstant } from "./parse-instant.ts";

const CASES: [written: string, read: string | null][] = [
  ["2026-12-01T10:00:00Z", "2026-12-01T10:00:00.000Z"],
  ["2026-12-01T10:00:00.123456Z", "2026-12-01T10:00:00.123Z"],
  ["2026-12-01T10:00+02:00", "2026-12-01T08:00:00.000Z"],
  ["2026-12-01T23:30:00-03:30", "2026-12-02T03:00:00.000Z"],
  ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["2026-02-29T00:00:00Z", null],
  ["2026-04-31T00:00:00Z", null],
  ["2026-12-01T24:00:00Z", null],
  ["2026-12-01T10:60:00Z", null],
  ["2026-13-01T10:00:00Z", null],
  ["2026-12-01T10:00:00", null],
  ["2026-12-01", null],
  ["2026-12-01 10:00:00Z", null],
  ["2026-12-01T10:00:00+0200", null],
  ["9999-12-31T23:59:59-23:59", null],
  ["0000-01-01T00:00:00+23:59", null],
  ["tomorrow", null],
  ["", null],
];

describe("the parsed instant", () => {
  for (const [text, expectedInstant] of CASES)
    it(`of ${text || "nothing"} is ${expectedInstant ?? "none"}`, () => {
      assert.equal(parseIsoInstant(text), expectedInstant);
    });
});
