import assert from "node:assert/strict";
import test from "node:test";

import { placeOnTile, createFight } from "#core/engine/fight.ts";
import { isTileVisible, rotatedTile } from "#core/engine/grid.ts";
import { COOLDOWN_COUNT, FIRST_ATTACK_COOLDOWN, BOLT, STRIKE } from "#core/engine/integer-codes.ts";
import { gridOf } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import type { Observation } from "#core/engine/types.ts";

import { createBelief, updateBelief } from "./belief.ts";

const halls = gridOf("halls")!;
const context = { match_id: "m1", fighter: "A", map: halls } as const;
const [NOOK, FAR_NOOK] = [tile(1, 1), tile(17, 13)];

function tile(x: number, y: number): number {
  return y * halls.width + x;
}

function sight(own: number, opponent: number, change: Partial<Observation> = {}): Observation {
  const fight = createFight(halls, 1);
  placeOnTile(fight, 0, own);
  placeOnTile(fight, 1, opponent);
  return { ...observationFor(fight, 0), ...change };
}

test("places an opponent it has never seen on the mirror image of its own tile", () => {
  const belief = createBelief(context);
  updateBelief(belief, sight(NOOK, FAR_NOOK));
  assert.equal(belief.isVisible, false);
  assert.equal(belief.fight.tile[1], rotatedTile(halls, NOOK));
});

test("places a visible opponent on its tile", () => {
  const belief = createBelief(context);
  updateBelief(belief, sight(NOOK, tile(3, 1)));
  assert.equal(belief.isVisible, true);
  assert.equal(belief.fight.tile[1], tile(3, 1));
});

test("places a hidden opponent on the nearest hidden tile", () => {
  const belief = createBelief(context);
  updateBelief(belief, sight(NOOK, tile(3, 1)));
  updateBelief(belief, sight(NOOK, FAR_NOOK, { tick: 1 }));
  const guess = belief.fight.tile[1]!;
  assert.equal(isTileVisible(halls, NOOK, guess), false);
  const steps = halls.walk[tile(3, 1) * halls.tileCount + guess]!;
  for (let otherTile = 0; otherTile < halls.tileCount; otherTile += 1) {
    if (halls.floor[otherTile] === 0 || isTileVisible(halls, NOOK, otherTile)) continue;
    assert.ok(halls.walk[tile(3, 1) * halls.tileCount + otherTile]! >= steps);
  }
});

test("finds a hidden opponent from events", () => {
  const belief = createBelief(context);
  const hitBelief = {
    type: "hit",
    by: "A",
    target: "B",
    name: "bolt",
    damage: 7,
    x: 17,
    y: 1,
  } as const;
  updateBelief(belief, sight(NOOK, FAR_NOOK, { tick: 1, events: [hitBelief] }));
  assert.equal(belief.fight.tile[1], tile(17, 1));
});

test("starts the opponent's cooldown on an unseen attack and counts it down over time", () => {
  const belief = createBelief(context);
  const heardBelief = { type: "attack", by: "B", name: "bolt" } as const;
  const cooldown = (attack: number) =>
    belief.fight.cooldowns[COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + attack];
  updateBelief(belief, sight(NOOK, FAR_NOOK, { tick: 1, events: [heardBelief] }));
  assert.deepEqual([cooldown(BOLT), cooldown(STRIKE)], [5, 3]);
  updateBelief(belief, sight(NOOK, FAR_NOOK, { tick: 3 }));
  assert.deepEqual([cooldown(BOLT), cooldown(STRIKE)], [3, 1]);
});

test("learns from visible steps, but not from throws", () => {
  const steps = [sight(NOOK, tile(4, 1)), sight(NOOK, tile(3, 1), { tick: 1 })];
  const learnedHabits = createBelief(context);
  for (const isVisible of steps) updateBelief(learnedHabits, isVisible);
  assert.ok(learnedHabits.habits[0]! > 2);
  const throwEvent = createBelief(context);
  const pull = {
    type: "pull",
    by: "A",
    target: "B",
    direction: "w",
    tiles: 1,
    x: 3,
    y: 1,
  } as const;
  updateBelief(throwEvent, steps[0]!);
  updateBelief(throwEvent, { ...steps[1]!, events: [pull] });
  assert.equal(throwEvent.habits[0], 2);
});
