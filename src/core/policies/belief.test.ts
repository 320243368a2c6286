import assert from "node:assert/strict";
import test from "node:test";

import { COOLDOWN_COUNT, FIRST_ATTACK_COOLDOWN, BOLT, STRIKE } from "#core/engine/codes.ts";
import { place, startFight } from "#core/engine/fight.ts";
import { isSeen, turnedTile } from "#core/engine/grid.ts";
import { gridOf } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import type { Observation } from "#core/engine/types.ts";

import { newBelief, update } from "./belief.ts";

const halls = gridOf("halls")!;
const facts = { match_id: "m1", fighter: "A", map: halls } as const;
const [NOOK, FAR_NOOK] = [tile(1, 1), tile(17, 13)];

function tile(x: number, y: number): number {
  return y * halls.width + x;
}

/** What fighter A sees when the two stand on these tiles. */
function sight(own: number, foe: number, change: Partial<Observation> = {}): Observation {
  const fight = startFight(halls, 1);
  place(fight, 0, own);
  place(fight, 1, foe);
  return { ...observe(fight, 0), ...change };
}

test("a foe never seen is believed on the mirror image of one's own tile", () => {
  const belief = newBelief(facts);
  update(belief, sight(NOOK, FAR_NOOK));
  assert.equal(belief.isVisible, false);
  assert.equal(belief.fight.tile[1], turnedTile(halls, NOOK));
});

test("a foe in sight is believed where it stands", () => {
  const belief = newBelief(facts);
  update(belief, sight(NOOK, tile(3, 1)));
  assert.equal(belief.isVisible, true);
  assert.equal(belief.fight.tile[1], tile(3, 1));
});

test("a foe that went out of sight is believed on the nearest unseen tile", () => {
  const belief = newBelief(facts);
  update(belief, sight(NOOK, tile(3, 1)));
  update(belief, sight(NOOK, FAR_NOOK, { tick: 1 }));
  const guess = belief.fight.tile[1]!;
  assert.equal(isSeen(halls, NOOK, guess), false);
  const steps = halls.walk[tile(3, 1) * halls.tileCount + guess]!;
  for (let other = 0; other < halls.tileCount; other += 1) {
    if (halls.floor[other] === 0 || isSeen(halls, NOOK, other)) continue;
    assert.ok(halls.walk[tile(3, 1) * halls.tileCount + other]! >= steps);
  }
});

test("what happens to a hidden foe tells where it was", () => {
  const belief = newBelief(facts);
  const hit = { type: "hit", by: "A", target: "B", name: "bolt", damage: 7, x: 17, y: 1 } as const;
  update(belief, sight(NOOK, FAR_NOOK, { tick: 1, events: [hit] }));
  assert.equal(belief.fight.tile[1], tile(17, 1));
});

test("an attack that is only heard sets the cooldowns of the foe, and time lowers them", () => {
  const belief = newBelief(facts);
  const heard = { type: "attack", by: "B", name: "bolt" } as const;
  const cooldown = (attack: number) =>
    belief.fight.cooldowns[COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + attack];
  update(belief, sight(NOOK, FAR_NOOK, { tick: 1, events: [heard] }));
  assert.deepEqual([cooldown(BOLT), cooldown(STRIKE)], [5, 3]);
  update(belief, sight(NOOK, FAR_NOOK, { tick: 3 }));
  assert.deepEqual([cooldown(BOLT), cooldown(STRIKE)], [3, 1]);
});

test("a step of the foe in sight is learned, a throw is not", () => {
  const steps = [sight(NOOK, tile(4, 1)), sight(NOOK, tile(3, 1), { tick: 1 })];
  const learned = newBelief(facts);
  for (const seen of steps) update(learned, seen);
  assert.ok(learned.habits[0]! > 2);
  const thrown = newBelief(facts);
  const pull = {
    type: "pull",
    by: "A",
    target: "B",
    direction: "w",
    tiles: 1,
    x: 3,
    y: 1,
  } as const;
  update(thrown, steps[0]!);
  update(thrown, { ...steps[1]!, events: [pull] });
  assert.equal(thrown.habits[0], 2);
});
