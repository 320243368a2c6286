import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { startFight } from "#core/engine/fight.ts";
import { gridOf } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { NEW_DRAFT, pressKey } from "./play-draft.ts";

const grid = gridOf("courtyard")!;
// Seed 1 puts A on 7,13: walls below, a free path up, B in sight on 7,1.
const seen = observe(startFight(grid, 1), 0);
const tired: Observation = {
  ...seen,
  self: { ...seen.self, cooldowns: { ...seen.self.cooldowns, bolt: 3, dash: 2 } },
};

const press = (keys: readonly string[], observation = seen) =>
  keys.reduce((draft, key) => pressKey(draft, key, observation, grid), NEW_DRAFT);

describe("a turn by keys", () => {
  const cases: [string, string[], Turn][] = [
    ["nothing is a wait", [], {}],
    ["a letter walks", ["w"], { move: "n" }],
    ["an arrow walks", ["left"], { move: "w" }],
    ["a capital dashes, and takes the place of the walk", ["a", "E"], { dash: "ne" }],
    ["a walk takes the place of the dash", ["W", "q"], { move: "nw" }],
    ["repulse needs no target", ["4"], { attack: { name: "repulse" } }],
    ["a direction for the bolt", ["2", "e"], { attack: { name: "bolt", target: "ne" } }],
    ["walk and attack", ["w", "1", "d"], { move: "n", attack: { name: "strike", target: "e" } }],
    ["backspace starts anew", ["w", "4", "backspace"], {}],
    [
      "the cursor starts at a foe in sight and is moved by the walking keys",
      ["5", ...Array<string>(7).fill("x"), "d", "return"],
      { attack: { name: "blast", target: [8, 8] } },
    ],
  ];
  for (const [name, keys, turn] of cases) it(name, () => assert.deepEqual(press(keys).turn, turn));

  it("return plays the turn, but not while an attack wants its target", () => {
    assert.equal(press(["w", "return"]).isDone, true);
    assert.equal(press(["2", "return"]).isDone, false);
  });
});

describe("an impossible key is explained, and changes nothing", () => {
  const cases: [string, string[], Observation, RegExp][] = [
    ["a step into a wall", ["x"], seen, /no step to the s/],
    ["a dash into a wall", ["X"], seen, /no dash to the s/],
    ["a dash that cools down", ["W"], tired, /ready in 2 ticks/],
    ["an attack that cools down", ["2"], tired, /ready in 3 ticks/],
    ["a blast too far away", ["5", "return"], seen, /reaches 7 tiles/],
    ["a scorch on a wall", ["6", "w", "return"], seen, /no floor/],
    ["an attack when stunned", ["4"], { ...seen, self: { ...seen.self, stun: 1 } }, /stunned/],
  ];
  for (const [name, keys, observation, note] of cases)
    it(name, () => {
      const draft = press(keys, observation);
      assert.match(draft.note, note);
      assert.deepEqual(draft.turn, {});
    });
});
