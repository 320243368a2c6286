import assert from "node:assert/strict";
import test from "node:test";

import { placeOnTile, createFight } from "#core/engine/fight.ts";
import { BLAST_AREA, NONE } from "#core/engine/integer-codes.ts";
import { gridOf } from "#core/engine/maps.ts";
import { DIRECTIONS } from "#core/engine/types.ts";

import { bestBolt, canEscapeBlast, directionToTarget, repulseSlams, trapChance } from "./aim.ts";
import { areaDamageAt, dangerMap } from "./danger.ts";
import { DEFAULT_HABITS, forecastStep } from "./opponent-habits.ts";

const courtyard = gridOf("courtyard")!;
const tile = (x: number, y: number) => y * courtyard.width + x;
const direction = (name: (typeof DIRECTIONS)[number]) => DIRECTIONS.indexOf(name);

function fightWith(opponent: number) {
  const fight = createFight(courtyard, 1);
  placeOnTile(fight, 0, tile(7, 7));
  placeOnTile(fight, 1, opponent);
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
  test(`finds the direction from ${from} to ${to} within ${range} tiles: ${expected}`, () => {
    assert.equal(directionToTarget(courtyard, from, to, range), aim);
  });
}

test("expects a bolt to deal its full damage to an immobile opponent, and more after a bounce", () => {
  const fight = fightWith(tile(7, 4));
  const { tiles, chances } = { tiles: [tile(7, 4)], chances: [1] };
  const boltShot = bestBolt(fight, 0, tile(7, 7), { tiles, chances });
  assert.deepEqual(boltShot, { direction: direction("n"), damage: 7 });
  const bounced = { tiles: [tile(8, 8)], chances: [0.5] };
  assert.deepEqual(bestBolt(fight, 0, tile(1, 7), bounced), { direction: 1, damage: 5 });
});

test("step chances sum to 1, and a stunned opponent stays in place", () => {
  const fight = fightWith(tile(7, 4));
  const { tiles, chances } = forecastStep({ fight, seat: 0, opponent: 1 }, DEFAULT_HABITS);
  assert.equal(tiles.length, 9);
  assert.ok(Math.abs(chances.reduce((sum, chance) => sum + chance, 0) - 1) < 1e-9);
  fight.stun[1] = 2;
  const stunned = forecastStep({ fight, seat: 0, opponent: 1 }, DEFAULT_HABITS);
  assert.deepEqual(stunned, { tiles: [tile(7, 4)], chances: [1] });
});

test("detects that a repulse slams an opponent standing in front of a wall", () => {
  assert.equal(repulseSlams(courtyard, tile(7, 3), tile(7, 2)), true);
  assert.equal(repulseSlams(courtyard, tile(7, 7), tile(7, 6)), false);
});

test("a fighter can't walk out of the middle of a blast in two steps, but can leave its edge in one", () => {
  const center = tile(7, 7);
  assert.equal(canEscapeBlast(courtyard, center, center, 2), false);
  assert.equal(canEscapeBlast(courtyard, center, tile(9, 7), 1), true);
  const forecast = { tiles: [center, tile(9, 7)], chances: [0.6, 0.4] };
  assert.equal(trapChance(courtyard, center, forecast), 0.6);
});

test("danger includes a blast only on tiles that a fighter can't leave in time", () => {
  const fight = fightWith(tile(1, 1));
  fight.areaX[BLAST_AREA] = 7;
  fight.areaY[BLAST_AREA] = 7;
  fight.areaDamage[BLAST_AREA] = 12;
  const dangerIn = (ticks: number, step: number) => {
    fight.areaLeft[BLAST_AREA] = ticks;
    return dangerMap(fight)[step];
  };
  assert.equal(dangerIn(1, tile(7, 7)), 12);
  assert.equal(dangerIn(1, tile(4, 7)), 0);
  assert.equal(dangerIn(2, tile(7, 7)), 12);
  assert.equal(dangerIn(2, tile(9, 7)), 0);
  assert.equal(dangerIn(3, tile(8, 7)), 0);
  fight.areaLeft[BLAST_AREA] = 1;
  assert.deepEqual([areaDamageAt(fight, tile(9, 8)), areaDamageAt(fight, tile(10, 7))], [12, 0]);
});
