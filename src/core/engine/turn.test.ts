import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import { playTick, sceneOn, use } from "#testing/fixtures/fight-scene.ts";

import { NONE, STRIKE } from "./codes.ts";
import { stateHash } from "./hash.ts";
import { newIntent } from "./intent.ts";
import { step } from "./step.ts";
import { recordedTurn, setIntent, setTurn } from "./turn.ts";
import type { Direction, Target, Turn } from "./types.ts";

const LONG = "x".repeat(60);

const RECORDED: [name: string, turn: Turn, recorded: Turn][] = [
  ["an idle one", {}, {}],
  [
    "a full one",
    { move: "e", ...use("bolt", "n"), shout: "hi" },
    { move: "e", ...use("bolt", "n"), shout: "hi" },
  ],
  ["both movements", { move: "e", dash: "w" }, { move: "e", dash: "w" }],
  ["a tile", use("blast", [-5, 1e9]), use("blast", [-5, 1e9])],
  ["a direction for a tile", use("blast", "e"), use("blast")],
  ["a tile for a direction", use("strike", [1, 1]), use("strike")],
  ["half a tile", use("scorch", [1.5, 1]), use("scorch")],
  ["any target of a repulse", use("repulse", "e"), use("repulse")],
  ["the target of an unknown attack", use("punch", "e"), use("punch")],
  ["a long name", use(LONG, "e"), use("x".repeat(40))],
  ["a long name that starts like an attack", use(`strike${LONG}`), use(`strike${"x".repeat(34)}`)],
  ["a long shout", { shout: LONG }, { shout: "x".repeat(41) }],
  ["an empty shout", { shout: "" }, { shout: "" }],
  [
    "a shout whose forty-first character is white space",
    { shout: `${"x".repeat(40)} y` },
    { shout: `${"x".repeat(40)} ` },
  ],
];

for (const [name, turn, recorded] of RECORDED) {
  test(`a turn is recorded in its normal form: ${name}`, () => {
    assert.deepEqual(recordedTurn(turn), recorded);
    assert.deepEqual(recordedTurn(recorded), recorded);
  });

  test(`the recorded turn plays like the turn itself: ${name}`, () => {
    const [played, replayed] = bothOf([0, 1].map(() => sceneOn("courtyard", [3, 3], [9, 6])));
    assert.deepEqual(playTick(played, turn), playTick(replayed, recorded));
    assert.equal(stateHash(played), stateHash(replayed));
  });
}

test("a recorded tile is a copy", () => {
  const tile: [number, number] = [3, 4];
  const { attack } = recordedTurn(use("blast", tile));
  tile[0] = 9;
  assert.deepEqual(attack?.target, [3, 4]);
});

test("a turn replaces the one that was set before", () => {
  const fight = sceneOn("courtyard", [3, 3], [9, 6]);
  setTurn(fight, 0, { move: "e", dash: "n", ...use("bolt", "n"), shout: "hi" });
  setTurn(fight, 0, null);
  assert.deepEqual(fight.intents[0], { ...newIntent(), aim: fight.intents[0]!.aim, text: "hi" });
  step(fight);
  assert.equal(fight.log.length, 0);
});

test("numbers set the same intent as a turn", () => {
  const [spoken, numbered] = bothOf([0, 1].map(() => sceneOn("courtyard", [6, 7], [7, 7])));
  setTurn(spoken, 0, { move: "nw", ...use("strike", "e") });
  setIntent(numbered, 0, 7, NONE, STRIKE, 2);
  assert.deepEqual(numbered.intents, spoken.intents);
});

test("an invalid direction counts as absent", () => {
  const fight = sceneOn("courtyard", [6, 7], [7, 7]);
  const turn = { move: "up" as Direction, dash: "" as Direction };
  assert.deepEqual(playTick(fight, turn, turn), []);
});

test("no target whatever makes the engine throw", () => {
  const targets = [null, 0, {}, [], [[1], [2]], Number.NaN, "north", [Infinity, 1]] as Target[];
  for (const name of ["strike", "blast", "repulse", "punch"]) {
    for (const target of targets) {
      const fight = sceneOn("courtyard", [6, 7], [7, 7]);
      recordedTurn(use(name, target));
      playTick(fight, use(name, target));
    }
  }
});
