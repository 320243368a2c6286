import assert from "node:assert/strict";
import { test } from "node:test";

import { MINUTE, SECOND } from "#base/units/time.ts";

import { sparing } from "./sparing.ts";

test("what repeats without end is told twenty times a minute, and then how often it was not", () => {
  const lines: object[] = [];
  const clock = { at: 0, now: () => clock.at };
  const note = (fields: object) => void lines.push(fields);
  const warn = sparing({ clock, log: { info: note, warn: note, error: note } });
  for (let second = 0; second < 60; second += 1) {
    clock.at = second * SECOND;
    warn({ second }, "again");
  }
  assert.deepEqual(lines.at(-1), { second: 19 });
  assert.equal(lines.length, 20);
  clock.at = MINUTE;
  for (const second of [60, 61]) warn({ second }, "again");
  assert.deepEqual(lines.slice(20), [{ second: 60, left_out: 40 }, { second: 61 }]);
});
