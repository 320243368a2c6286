import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { handleStepperKey } from "./replay-stepper.ts";
import type { StepperPosition } from "./replay-stepper.ts";

const LAST_FRAME = 50;

function pressKeys(keys: readonly string[], from = 10): StepperPosition | null {
  let position: StepperPosition | null = { frame: from, typedDigits: null };
  for (const key of keys)
    if (position !== null) position = handleStepperKey(position, key, LAST_FRAME);
  return position;
}

describe("stepping through a replay", () => {
  const cases: [string, string[], number | null][] = [
    ["n moves forward", ["n"], 11],
    ["right, space and return move forward", ["right", "space", "return"], 13],
    ["b, p and left move back", ["b", "p", "left"], 7],
    ["stops at the end", [">", "n"], LAST_FRAME],
    ["stops at the start", ["<", "b"], 0],
    ["home and end", ["home", "n", "end", "b"], LAST_FRAME - 1],
    ["an unknown key does nothing", ["y", "up"], 10],
    ["j jumps to the frame after the tick", ["j", "4", "1", "return"], 42],
    ["j with a tick beyond the end jumps to the end", ["j", "2", "9", "9", "return"], LAST_FRAME],
    ["j without digits stays", ["j", "return"], 10],
    ["backspace removes digits", ["j", "4", "1", "backspace", "return"], 5],
    ["a fourth digit is ignored", ["j", "0", "0", "7", "9", "return"], 8],
    ["escape cancels the input, not the reader", ["j", "4", "escape", "n"], 11],
    ["q leaves", ["n", "q"], null],
    ["escape quits", ["escape"], null],
  ];
  for (const [name, keys, frame] of cases)
    it(name, () => assert.equal(pressKeys(keys)?.frame ?? null, frame));
});
