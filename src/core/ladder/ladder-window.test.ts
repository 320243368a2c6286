import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { isValidWindow, isWindowWithin, windowRefusal } from "./ladder-window.ts";
import type { Window, WindowRefusal } from "./ladder-window.ts";

const instantAtHour = (hour: number | null) =>
  hour === null ? null : `2026-01-05T${String(hour).padStart(2, "0")}:00:00.000Z`;
const window = (opens: number | null, closes: number | null): Window => ({
  opensAt: instantAtHour(opens),
  closesAt: instantAtHour(closes),
});

type Hours = [opens: number | null, closes: number | null];
type Row = [from: Hours, to: Hours, hour: number, refusal: WindowRefusal | null];

const ROWS: Row[] = [
  // Unchanged windows are never refused.
  [[8, 9], [8, 9], 12, null],
  [[8, 20], [8, 20], 12, null],
  // After closing.
  [[8, 9], [8, 20], 12, "window_closed"],
  [[8, 12], [8, 20], 12, "window_closed"],
  [[8, 9], [8, null], 12, "window_closed"],
  [[8, 9], [20, 10], 12, "window_closed"],
  // While open.
  [[8, 20], [9, 20], 12, "window_started"],
  [[12, 20], [13, 20], 12, "window_started"],
  [[null, 20], [14, 20], 12, "window_started"],
  [[8, 20], [null, 20], 12, "window_started"],
  [[8, 20], [9, 7], 12, "window_started"],
  [[8, 20], [8, 13], 12, null],
  [[8, 20], [8, null], 12, null],
  [[8, null], [8, 13], 12, null],
  [[8, 20], [8, 12], 12, "window_past"],
  [[8, 20], [8, 11], 12, "window_past"],
  [[8, 20], [8, 7], 12, "invalid_window"],
  [[8, 20], [8, 8], 12, "invalid_window"],
  [[8, 20], [8, 22], 12, null],
  [[8, 20], [8, 23], 12, "invalid_window"],
  // Before opening.
  [[14, 20], [15, 20], 12, null],
  [[14, 20], [null, 20], 12, null],
  [[14, 20], [12, 20], 12, "window_past"],
  [[14, 20], [11, 20], 12, "window_past"],
  [[14, 20], [20, 20], 12, "invalid_window"],
  [[14, 20], [null, 11], 12, "window_past"],
  [[14, null], [10, 9], 12, "invalid_window"],
];

describe("a changed window", () => {
  for (const [from, to, hour, refusal] of ROWS)
    it(`${from.join("-")} to ${to.join("-")} at ${hour} is ${refusal ?? "taken"}`, () => {
      const fitsLadder = ({ closesAt }: Window) => closesAt !== instantAtHour(23);
      const refusalOf = windowRefusal(
        window(...from),
        window(...to),
        instantAtHour(hour) ?? "",
        fitsLadder,
      );
      assert.equal(refusalOf, refusal);
    });
});

describe("windows", () => {
  it("close after they open", () => {
    const rows: Hours[] = [
      [null, null],
      [8, null],
      [null, 8],
      [8, 9],
    ];
    for (const hours of rows) assert.ok(isValidWindow(window(...hours)));
    for (const hours of [9, 10].map((hour): Hours => [hour, 9]))
      assert.ok(!isValidWindow(window(...hours)));
  });

  it("lie within windows that open no later and close no earlier", () => {
    const rows: [inner: Hours, outer: Hours, isIn: boolean][] = [
      [[9, 10], [9, 10], true],
      [[9, 10], [null, null], true],
      [[9, 10], [10, 12], false],
      [[9, 13], [9, 12], false],
      [[null, 10], [9, 12], false],
      [[9, null], [9, 12], false],
      [[9, null], [9, null], true],
      [[null, null], [null, null], true],
    ];
    for (const [inner, outer, isInside] of rows)
      assert.equal(
        isWindowWithin(window(...inner), window(...outer)),
        isInside,
        `${inner} in ${outer}`,
      );
  });
});
