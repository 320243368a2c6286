import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createFight } from "#core/engine/fight.ts";
import { gridOf } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { EMPTY_TURN_DRAFT, pressKey } from "./turn-draft.ts";

const grid = gridOf("courtyard")!;
// Seed 1 puts A on 7,13. Walls are below, the path upwards is free, and B is in sight on 7,1.
const firstObservation = observationFor(createFight(grid, 1), 0);
const tiredObservation: Observation = {
  ...firstObservation,
  self: {
    ...firstObservation.self,
    cooldowns: { ...firstObservation.self.cooldowns, bolt: 3, dash: 2 },
  },
};

const pressKeys = (keys: readonly string[], observation = firstObservation) =>
  keys.reduce((draft, key) => pressKey(draft, key, observation, grid), EMPTY_TURN_DRAFT);

describe("builds a turn from keys", () => {
  const cases: [string, string[], Turn][] = [
    ["no key is a wait", [], {}],
    ["a letter moves", ["w"], { move: "n" }],
    ["an arrow moves", ["left"], { move: "w" }],
    ["a capital dashes, and replaces the move", ["a", "E"], { dash: "ne" }],
    ["a move replaces the dash", ["W", "q"], { move: "nw" }],
    ["repulse needs no target", ["4"], { attack: { name: "repulse" } }],
    ["a direction for the bolt", ["2", "e"], { attack: { name: "bolt", target: "ne" } }],
    ["walk and attack", ["w", "1", "d"], { move: "n", attack: { name: "strike", target: "e" } }],
    ["backspace resets the turn", ["w", "4", "backspace"], {}],
    [
      "the cursor starts at a visible foe, and move keys move it",
      ["5", ...Array<string>(7).fill("x"), "d", "return"],
      { attack: { name: "blast", target: [8, 8] } },
    ],
  ];
  for (const [name, keys, turn] of cases)
    it(name, () => assert.deepEqual(pressKeys(keys).turn, turn));

  it("Return plays the turn, unless an attack still needs a target", () => {
    assert.equal(pressKeys(["w", "return"]).isDone, true);
    assert.equal(pressKeys(["2", "return"]).isDone, false);
  });
});

describe("explains an impossible key, and changes nothing", () => {
  const cases: [string, string[], Observation, RegExp][] = [
    ["a move into a wall", ["x"], firstObservation, /can't move s/],
    ["a dash into a wall", ["X"], firstObservation, /can't dash s/],
    ["a dash on cooldown", ["W"], tiredObservation, /ready in 2 ticks/],
    ["an attack on cooldown", ["2"], tiredObservation, /ready in 3 ticks/],
    ["a blast too far away", ["5", "return"], firstObservation, /reaches 7 tiles/],
    ["a scorch on a wall", ["6", "w", "return"], firstObservation, /not on the floor/],
    [
      "an attack while stunned",
      ["4"],
      { ...firstObservation, self: { ...firstObservation.self, stun: 1 } },
      /stunned/,
    ],
  ];
  for (const [name, keys, observation, note] of cases)
    it(name, () => {
      const draft = pressKeys(keys, observation);
      assert.match(draft.message, note);
      assert.deepEqual(draft.turn, {});
    });
});
