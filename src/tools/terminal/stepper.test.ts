import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { afterKey } from "./stepper.ts";
import type { Place } from "./stepper.ts";

const LAST = 50;

function press(keys: readonly string[], from = 10): Place | null {
  let place: Place | null = { frame: from, typed: null };
  for (const key of keys) if (place !== null) place = afterKey(place, key, LAST);
  return place;
}

describe("stepping through a replay", () => {
  const cases: [string, string[], number | null][] = [
    ["n goes on", ["n"], 11],
    ["right, space and return go on", ["right", "space", "return"], 13],
    ["b, p and left go back", ["b", "p", "left"], 7],
    ["it stops at the end", [">", "n"], LAST],
    ["it stops at the start", ["<", "b"], 0],
    ["home and end", ["home", "n", "end", "b"], LAST - 1],
    ["an unknown key does nothing", ["y", "up"], 10],
    ["j jumps to the frame after the tick", ["j", "4", "1", "return"], 42],
    ["j with a tick beyond the end goes to the end", ["j", "2", "9", "9", "return"], LAST],
    ["j without digits stays", ["j", "return"], 10],
    ["digits can be taken back", ["j", "4", "1", "backspace", "return"], 5],
    ["a fourth digit is ignored", ["j", "0", "0", "7", "9", "return"], 8],
    ["escape ends the question, not the reading", ["j", "4", "escape", "n"], 11],
    ["q leaves", ["n", "q"], null],
    ["escape leaves", ["escape"], null],
  ];
  for (const [name, keys, frame] of cases)
    it(name, () => assert.equal(press(keys)?.frame ?? null, frame));
});
