import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { playTestTick, sceneOnMap, attackTurn } from "#testing/fixtures/tick-cases.ts";

import { hashState } from "./hash.ts";
import { NONE, STRIKE } from "./integer-codes.ts";
import { newIntent } from "./intent.ts";
import { step } from "./step.ts";
import { toRecordedTurn, setIntent, setSeatTurn } from "./turn.ts";
import type { Direction, Target, Turn } from "./types.ts";

const LONG = "x".repeat(60);

const RECORDED: [name: string, turn: Turn, recorded: Turn][] = [
  ["an idle turn", {}, {}],
  [
    "a full turn",
    { move: "e", ...attackTurn("bolt", "n"), shout: "hi" },
    { move: "e", ...attackTurn("bolt", "n"), shout: "hi" },
  ],
  ["both movements", { move: "e", dash: "w" }, { move: "e", dash: "w" }],
  ["a tile", attackTurn("blast", [-5, 1e9]), attackTurn("blast", [-5, 1e9])],
  ["a direction instead of a tile", attackTurn("blast", "e"), attackTurn("blast")],
  ["a tile instead of a direction", attackTurn("strike", [1, 1]), attackTurn("strike")],
  ["half a tile", attackTurn("scorch", [1.5, 1]), attackTurn("scorch")],
  ["any target of a repulse", attackTurn("repulse", "e"), attackTurn("repulse")],
  ["the target of an unknown attack", attackTurn("punch", "e"), attackTurn("punch")],
  ["a long name", attackTurn(LONG, "e"), attackTurn("x".repeat(40))],
  [
    "a long name that starts like an attack",
    attackTurn(`strike${LONG}`),
    attackTurn(`strike${"x".repeat(34)}`),
  ],
  ["a long shout", { shout: LONG }, { shout: "x".repeat(41) }],
  ["an empty shout", { shout: "" }, { shout: "" }],
  [
    "a shout whose forty-first character is white space",
    { shout: `${"x".repeat(40)} y` },
    { shout: `${"x".repeat(40)} ` },
  ],
];

for (const [name, turn, recorded] of RECORDED) {
  test(`records a turn in normal form: ${name}`, () => {
    assert.deepEqual(toRecordedTurn(turn), recorded);
    assert.deepEqual(toRecordedTurn(recorded), recorded);
  });

  test(`plays a recorded turn like the original: ${name}`, () => {
    const [playedFight, replayedFight] = firstTwo(
      [0, 1].map(() => sceneOnMap("courtyard", [3, 3], [9, 6])),
    );
    assert.deepEqual(playTestTick(playedFight, turn), playTestTick(replayedFight, recorded));
    assert.equal(hashState(playedFight), hashState(replayedFight));
  });
}

test("copies target tiles into the record", () => {
  const tile: [number, number] = [3, 4];
  const { attack } = toRecordedTurn(attackTurn("blast", tile));
  tile[0] = 9;
  assert.deepEqual(attack?.target, [3, 4]);
});

test("replaces the previous turn", () => {
  const fight = sceneOnMap("courtyard", [3, 3], [9, 6]);
  setSeatTurn(fight, 0, { move: "e", dash: "n", ...attackTurn("bolt", "n"), shout: "hi" });
  setSeatTurn(fight, 0, null);
  assert.deepEqual(fight.intents[0], { ...newIntent(), aim: fight.intents[0]!.aim, text: "hi" });
  step(fight);
  assert.equal(fight.log.length, 0);
});

test("sets the same intent from numbers as from a turn", () => {
  const [shoutTurn, numericFight] = firstTwo(
    [0, 1].map(() => sceneOnMap("courtyard", [6, 7], [7, 7])),
  );
  setSeatTurn(shoutTurn, 0, { move: "nw", ...attackTurn("strike", "e") });
  setIntent(numericFight, 0, 7, NONE, STRIKE, 2);
  assert.deepEqual(numericFight.intents, shoutTurn.intents);
});

test("ignores an invalid direction", () => {
  const fight = sceneOnMap("courtyard", [6, 7], [7, 7]);
  const turn = { move: "up" as Direction, dash: "" as Direction };
  assert.deepEqual(playTestTick(fight, turn, turn), []);
});

test("never throws for an invalid target", () => {
  const targets = [null, 0, {}, [], [[1], [2]], Number.NaN, "north", [Infinity, 1]] as Target[];
  for (const name of ["strike", "blast", "repulse", "punch"]) {
    for (const target of targets) {
      const fight = sceneOnMap("courtyard", [6, 7], [7, 7]);
      toRecordedTurn(attackTurn(name, target));
      playTestTick(fight, attackTurn(name, target));
    }
  }
});
