import assert from "node:assert/strict";
import { test } from "node:test";

import { dayNumber, dayFromNumber } from "./calendar-days.ts";
import { DAY_MS } from "./time.ts";

test("day numbers match the calendar across leap years and centuries", () => {
  const first = Date.UTC(1895, 0, 1) / DAY_MS;
  const last = Date.UTC(2405, 0, 1) / DAY_MS;
  for (let number = first; number < last; number += 1) {
    const text = new Date(number * DAY_MS).toISOString().slice(0, 10);
    assert.equal(dayFromNumber(number), text);
    assert.equal(dayNumber(text), number);
  }
});

test("rejects text that isn't a calendar day", () => {
  const invalidDays = [
    "2026-02-29",
    "2100-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-01-00",
  ];
  for (const text of [...invalidDays, "", "2026-1-1", "2026-01-01T00", "x2026-01-01", "20260101"])
    assert.equal(dayNumber(text), null, text);
  assert.equal(dayNumber("2024-02-29"), 19_782);
});
