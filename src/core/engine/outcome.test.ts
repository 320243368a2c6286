import assert from "node:assert/strict";
import { test } from "node:test";

import { playTestTick, sceneOnMap, attackTurn } from "#testing/fixtures/tick-cases.ts";

import type { Fight } from "./fight.ts";
import { RANDOM_STATE, TICK } from "./fight.ts";
import { winnerAtTickLimit, outcome } from "./outcome.ts";
import { randomFromState, nextState } from "./random.ts";
import { step } from "./step.ts";
import type { CombatEndReason } from "./types.ts";

type Ending = [
  name: string,
  tick: number,
  hp: number[],
  dealt: number[],
  reason: CombatEndReason | null,
  winner: number | null,
];

/** Plays one tick with all fighters in a corner, where the zone hurts from tick 92 on. */
function endOf([, tick, hp, dealt]: Ending): Fight {
  const corners = [
    [1, 1],
    [13, 13],
    [1, 13],
  ] as const;
  const fight = sceneOnMap("courtyard", ...corners.slice(0, hp.length));
  fight.words[TICK] = tick;
  fight.hp.set(hp);
  fight.dealt.set(dealt);
  for (const [seat, remainingHp] of hp.entries()) fight.alive[seat] = remainingHp > 0 ? 1 : 0;
  step(fight);
  return fight;
}

const LAST = 299;
const EQUAL_HP: Ending = ["equal HP, more damage", 200, [4, 4], [90, 80], "last_standing", 0];

const ENDINGS: Ending[] = [
  ["both alive before the limit", 298, [50, 50], [1, 2], null, null],
  ["most HP at the limit", LAST, [51, 50], [0, 9], "timeout_hp", 0],
  ["equal HP at the limit, more damage dealt", LAST, [50, 50], [3, 9], "timeout_damage", 1],
  ["equal in both at the limit", LAST, [50, 50], [9, 9], "timeout_draw", null],
  ["only damage of the healthiest counts", LAST, [50, 40, 50], [3, 90, 4], "timeout_damage", 2],
  ["one survivor at the limit", LAST, [3, 50], [90, 0], "last_standing", 1],
  ["one falls before the limit", 200, [50, 4], [0, 0], "last_standing", 0],
  ["both fall, one had more HP before the tick", 200, [3, 4], [90, 0], "last_standing", 1],
  EQUAL_HP,
  ["the rest fall, one fell before", 200, [0, 3, 2], [90, 0, 50], "last_standing", 1],
];

for (const ending of ENDINGS) {
  const [name, , , , reason, winner] = ending;
  test(`the match ends or continues: ${name}`, () => {
    const result = outcome(endOf(ending));
    assert.deepEqual(result, reason === null ? null : { winner, reason });
  });
}

test("breaks an exact tie at random, drawing among the tied seats in order", () => {
  const winners = new Set<number>();
  for (let seed = 0; seed < 20; seed += 1) {
    const fight = sceneOnMap("courtyard", [1, 1], [13, 13], [1, 13]);
    fight.words[TICK] = 200;
    fight.words[RANDOM_STATE] = seed;
    fight.hp.set([4, 2, 4]);
    step(fight);
    const drawnSeat = randomFromState(nextState(seed));
    assert.equal(outcome(fight)?.winner, [0, 2][drawnSeat % 2]);
    assert.equal(fight.words[RANDOM_STATE], nextState(seed));
    winners.add(outcome(fight)!.winner!);
  }
  assert.deepEqual(winners, new Set([0, 2]));
});

test("draws no random number if HP or damage breaks the tie", () => {
  const fight = endOf(EQUAL_HP);
  assert.equal(
    fight.words[RANDOM_STATE],
    sceneOnMap("courtyard", [1, 1], [2, 2]).words[RANDOM_STATE],
  );
});

test("damage in the last tick breaks a tie", () => {
  const fight = sceneOnMap("courtyard", [6, 7], [7, 7]);
  fight.hp.fill(3);
  playTestTick(fight, attackTurn("strike", "e"), attackTurn("hook", "w"));
  assert.deepEqual(outcome(fight), { winner: 0, reason: "last_standing" });
});

test("decides a running fight by the tick limit rules when the server ends it", () => {
  const fight = sceneOnMap("courtyard", [6, 7], [7, 7]);
  assert.equal(winnerAtTickLimit(fight), null);
  fight.dealt[1] = 1;
  assert.equal(winnerAtTickLimit(fight), 1);
  fight.hp[1] = 119;
  assert.equal(winnerAtTickLimit(fight), 0);
});

test("throws when a finished fight is continued", () => {
  const fight = endOf(ENDINGS[1]!);
  assert.throws(() => step(fight), { message: "the fight is over" });
});
