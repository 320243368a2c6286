import assert from "node:assert/strict";
import { test } from "node:test";

import { playTick, sceneOn, use } from "#testing/fixtures/fight-scene.ts";

import type { Fight } from "./fight.ts";
import { RANDOM_STATE, TICK } from "./fight.ts";
import { decideAtLimit, outcome } from "./outcome.ts";
import { drawnFrom, nextState } from "./random.ts";
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

/** Plays one tick with everybody in a corner, where the zone hurts from tick 92 on. */
function endOf([, tick, hp, dealt]: Ending): Fight {
  const corners = [
    [1, 1],
    [13, 13],
    [1, 13],
  ] as const;
  const fight = sceneOn("courtyard", ...corners.slice(0, hp.length));
  fight.words[TICK] = tick;
  fight.hp.set(hp);
  fight.dealt.set(dealt);
  for (const [seat, left] of hp.entries()) fight.alive[seat] = left > 0 ? 1 : 0;
  step(fight);
  return fight;
}

const LAST = 299;
const EQUAL_HP: Ending = ["equal hp, more damage", 200, [4, 4], [90, 80], "last_standing", 0];

const ENDINGS: Ending[] = [
  ["both live before the limit", 298, [50, 50], [1, 2], null, null],
  ["most hp at the limit", LAST, [51, 50], [0, 9], "timeout_hp", 0],
  ["equal hp at the limit, more damage dealt", LAST, [50, 50], [3, 9], "timeout_damage", 1],
  ["equal in both at the limit", LAST, [50, 50], [9, 9], "timeout_draw", null],
  ["damage of the healthiest alone", LAST, [50, 40, 50], [3, 90, 4], "timeout_damage", 2],
  ["the last one stands at the limit", LAST, [3, 50], [90, 0], "last_standing", 1],
  ["one falls before the limit", 200, [50, 4], [0, 0], "last_standing", 0],
  ["both fall, one had more hp before the tick", 200, [3, 4], [90, 0], "last_standing", 1],
  EQUAL_HP,
  ["the rest falls, one fell before", 200, [0, 3, 2], [90, 0, 50], "last_standing", 1],
];

for (const ending of ENDINGS) {
  const [name, , , , reason, winner] = ending;
  test(`the match ends or goes on as it should: ${name}`, () => {
    const result = outcome(endOf(ending));
    assert.deepEqual(result, reason === null ? null : { winner, reason });
  });
}

test("an exact tie is drawn by lot among the tied in seat order", () => {
  const winners = new Set<number>();
  for (let seed = 0; seed < 20; seed += 1) {
    const fight = sceneOn("courtyard", [1, 1], [13, 13], [1, 13]);
    fight.words[TICK] = 200;
    fight.words[RANDOM_STATE] = seed;
    fight.hp.set([4, 2, 4]);
    step(fight);
    const drawn = drawnFrom(nextState(seed));
    assert.equal(outcome(fight)?.winner, [0, 2][drawn % 2]);
    assert.equal(fight.words[RANDOM_STATE], nextState(seed));
    winners.add(outcome(fight)!.winner!);
  }
  assert.deepEqual(winners, new Set([0, 2]));
});

test("nothing is drawn when the tie breaks otherwise", () => {
  const fight = endOf(EQUAL_HP);
  assert.equal(fight.words[RANDOM_STATE], sceneOn("courtyard", [1, 1], [2, 2]).words[RANDOM_STATE]);
});

test("damage of the last tick breaks the tie", () => {
  const fight = sceneOn("courtyard", [6, 7], [7, 7]);
  fight.hp.fill(3);
  playTick(fight, use("strike", "e"), use("hook", "w"));
  assert.deepEqual(outcome(fight), { winner: 0, reason: "last_standing" });
});

test("a running fight is decided as at the limit when the server ends it", () => {
  const fight = sceneOn("courtyard", [6, 7], [7, 7]);
  assert.equal(decideAtLimit(fight), null);
  fight.dealt[1] = 1;
  assert.equal(decideAtLimit(fight), 1);
  fight.hp[1] = 119;
  assert.equal(decideAtLimit(fight), 0);
});

test("a fight that is over cannot go on", () => {
  const fight = endOf(ENDINGS[1]!);
  assert.throws(() => step(fight), { message: "the fight is over" });
});
