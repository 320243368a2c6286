import assert from "node:assert/strict";
import test from "node:test";

import { BLAST_AREA, NONE } from "#core/engine/codes.ts";
import { place, startFight } from "#core/engine/fight.ts";
import { gridOf } from "#core/engine/maps.ts";
import { DIRECTIONS } from "#core/engine/types.ts";

import { bestBolt, canWalkOut, lineTo, repulseSlams, trapChance } from "./aim.ts";
import { damageOn, dangerMap } from "./danger.ts";
import { FIRST_OPINION, forecastStep } from "./habits.ts";

const courtyard = gridOf("courtyard")!;
const tile = (x: number, y: number) => y * courtyard.width + x;
const direction = (name: (typeof DIRECTIONS)[number]) => DIRECTIONS.indexOf(name);

/** A fight with A at (7,7) in the open middle and B on the given tile. */
function fightWith(foe: number) {
  const fight = startFight(courtyard, 1);
  place(fight, 0, tile(7, 7));
  place(fight, 1, foe);
  return fight;
}

for (const [from, to, range, expected] of [
  [tile(7, 7), tile(7, 4), 5, "n"],
  [tile(7, 7), tile(9, 9), 5, "se"],
  [tile(7, 7), tile(7, 1), 5, null],
  [tile(7, 7), tile(9, 8), 5, null],
  [tile(4, 2), tile(4, 4), 5, null],
  [tile(7, 7), tile(7, 7), 5, null],
] as const) {
  const aim = expected === null ? NONE : direction(expected);
  test(`the line from ${from} to ${to} within ${range} tiles is ${expected}`, () => {
    assert.equal(lineTo(courtyard, from, to, range), aim);
  });
}

test("a bolt at a foe that cannot move does its damage, more after a bounce", () => {
  const fight = fightWith(tile(7, 4));
  const { tiles, chances } = { tiles: [tile(7, 4)], chances: [1] };
  const shot = bestBolt(fight, 0, tile(7, 7), { tiles, chances });
  assert.deepEqual(shot, { direction: direction("n"), damage: 7 });
  // Along the bounced ray of the example in the rules, from (1,7) to the north-east.
  const bounced = { tiles: [tile(8, 8)], chances: [0.5] };
  assert.deepEqual(bestBolt(fight, 0, tile(1, 7), bounced), { direction: 1, damage: 5 });
});

test("chances of a step add up to one, and a stunned foe stands", () => {
  const fight = fightWith(tile(7, 4));
  const { tiles, chances } = forecastStep({ fight, seat: 0, foe: 1 }, FIRST_OPINION);
  assert.equal(tiles.length, 9);
  assert.ok(Math.abs(chances.reduce((sum, chance) => sum + chance, 0) - 1) < 1e-9);
  fight.stun[1] = 2;
  const stunned = forecastStep({ fight, seat: 0, foe: 1 }, FIRST_OPINION);
  assert.deepEqual(stunned, { tiles: [tile(7, 4)], chances: [1] });
});

test("a repulse slams a foe with a wall behind it", () => {
  assert.equal(repulseSlams(courtyard, tile(7, 3), tile(7, 2)), true);
  assert.equal(repulseSlams(courtyard, tile(7, 7), tile(7, 6)), false);
});

test("from the middle of a blast nobody walks out in two steps, from its rim in one", () => {
  const center = tile(7, 7);
  assert.equal(canWalkOut(courtyard, center, center, 2), false);
  assert.equal(canWalkOut(courtyard, center, tile(9, 7), 1), true);
  const forecast = { tiles: [center, tile(9, 7)], chances: [0.6, 0.4] };
  assert.equal(trapChance(courtyard, center, forecast), 0.6);
});

test("danger is the damage of a blast that can no longer be left", () => {
  const fight = fightWith(tile(1, 1));
  fight.areaX[BLAST_AREA] = 7;
  fight.areaY[BLAST_AREA] = 7;
  fight.areaDamage[BLAST_AREA] = 12;
  const dangerIn = (ticks: number, at: number) => {
    fight.areaLeft[BLAST_AREA] = ticks;
    return dangerMap(fight)[at];
  };
  assert.equal(dangerIn(1, tile(7, 7)), 12);
  assert.equal(dangerIn(1, tile(4, 7)), 0);
  assert.equal(dangerIn(2, tile(7, 7)), 12);
  assert.equal(dangerIn(2, tile(9, 7)), 0);
  assert.equal(dangerIn(3, tile(8, 7)), 0);
  fight.areaLeft[BLAST_AREA] = 1;
  assert.deepEqual([damageOn(fight, tile(9, 8)), damageOn(fight, tile(10, 7))], [12, 0]);
});
