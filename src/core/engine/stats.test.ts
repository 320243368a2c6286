import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { playTestTick, sceneOnMap, attackTurn } from "#testing/fixtures/tick-cases.ts";

import type { Fight } from "./fight.ts";
import { TICK } from "./fight.ts";
import type { FightTally } from "./stats.ts";
import { combatStats, startTally, tallyTick } from "./stats.ts";
import type { CombatStats, Turn } from "./types.ts";

type Script = (Turn | null)[][];

function statsOf(fight: Fight, ...ticks: Script): CombatStats[] {
  const tally: FightTally = startTally(fight.seats);
  for (const turns of ticks) {
    playTestTick(fight, ...turns);
    tallyTick(tally, fight);
  }
  return tally.map((_, seat) => combatStats(tally, seat));
}

test("all counts start at zero", () => {
  const stats = statsOf(sceneOnMap("courtyard", [1, 7], [13, 7]))[0]!;
  assert.deepEqual([stats.hp, stats.alive, stats.moves, stats.rejected], [120, true, 0, {}]);
  assert.deepEqual(Object.keys(stats.weapons).join(" "), "strike bolt hook repulse blast scorch");
  assert.deepEqual(
    Object.keys(stats.taken_by_source).join(" "),
    "strike bolt hook repulse blast scorch wall_slam collision zone",
  );
});

test("counts tiles moved, and blocked moves separately, whatever blocks them", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [3, 7]);
  const [a, b] = firstTwo(
    statsOf(
      fight,
      [{ move: "w" }, { move: "n" }],
      [{ move: "e" }, {}],
      [{ move: "ne" }, {}],
      [attackTurn("repulse"), { move: "s" }],
    ),
  );
  assert.deepEqual([a.moves, a.moves_blocked], [1, 2]);
  assert.deepEqual([b.moves, b.moves_blocked, b.knocked_back], [1, 1, 1]);
  assert.deepEqual(a.rejected, { blocked: 2 });
});

test("counts accepted dashes and the tiles they covered", () => {
  const fight = sceneOnMap("courtyard", [4, 7], [8, 7]);
  const [a, b] = firstTwo(statsOf(fight, [{ dash: "e" }, { dash: "n" }], [{ dash: "e" }, {}]));
  assert.deepEqual([a.dashes, a.dash_tiles, a.moves], [1, 3, 0]);
  assert.deepEqual([b.dashes, b.dash_tiles, b.moves_blocked], [1, 3, 0]);
  assert.deepEqual(a.rejected, { not_ready: 1 });
});

test("counts an attack's uses, one hit per use, and its damage excluding wall slams", () => {
  const fight = sceneOnMap("courtyard", [12, 7], [13, 7], [12, 8]);
  const [a, b, c] = statsOf(fight, [attackTurn("repulse")]);
  assert.deepEqual(a!.weapons.repulse, { uses: 1, hits: 1, damage: 6 });
  assert.equal(a!.dealt_by_source.repulse, 6);
  assert.deepEqual([a!.damage_dealt, a!.wall_slams], [12, 1]);
  assert.deepEqual([b!.damage_taken, b!.taken_by_source.wall_slam, b!.knocked_back], [9, 6, 1]);
  assert.deepEqual([c!.damage_taken, c!.knocked_back], [3, 1]);
});

test("counts all burns of a scorch as one hit, and the next use as another", () => {
  const fight = sceneOnMap("courtyard", [2, 7], [7, 7]);
  const idle = Array.from({ length: 14 }, () => [null, null]);
  const castTurn = [attackTurn("scorch", [7, 7]), null];
  const [a, b] = firstTwo(statsOf(fight, castTurn, ...idle, castTurn, ...idle.slice(0, 2)));
  assert.deepEqual(a.weapons.scorch, { uses: 2, hits: 2, damage: 40 });
  assert.equal(b.taken_by_source.scorch, 40);
});

test("counts self-damage as taken, but not as dealt or as a hit", () => {
  const fight = sceneOnMap("courtyard", [5, 7], [13, 7]);
  const [a, b] = firstTwo(statsOf(fight, [attackTurn("blast", [5, 7]), null], [], []));
  assert.deepEqual(a.weapons.blast, { uses: 1, hits: 0, damage: 0 });
  assert.deepEqual([a.damage_taken, a.taken_by_source.blast, a.damage_dealt], [12, 12, 0]);
  assert.equal(b.damage_taken, 0);
});

test("counts the bounces of all bolts, and hits after a bounce", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [11, 9], [13, 1]);
  const [a, , c] = statsOf(fight, [attackTurn("bolt", "ne"), null, attackTurn("bolt", "s")]);
  assert.deepEqual(a!.ricochets, { bounces: 2, hits: 1, damage: 13 });
  assert.deepEqual(a!.weapons.bolt, { uses: 1, hits: 1, damage: 13 });
  assert.deepEqual(c!.ricochets, { bounces: 0, hits: 0, damage: 0 });
});

test("counts stunned ticks, refusals and shouts", () => {
  const fight = sceneOnMap("courtyard", [12, 7], [13, 7]);
  const b = statsOf(
    fight,
    [attackTurn("repulse"), {}],
    [{}, { move: "n", shout: "" }],
    [{}, {}],
    [{}, { move: "e", ...attackTurn("punch"), shout: "" }],
  )[1]!;
  assert.equal(b.stunned, 2);
  assert.deepEqual(b.rejected, { not_ready: 1, bad_text: 2, blocked: 1, unknown_attack: 1 });
  assert.equal(b.refused_turns, 2);
  assert.deepEqual(b.refused_turns_by_reason, {
    not_ready: 1,
    bad_text: 2,
    blocked: 1,
    unknown_attack: 1,
  });
});

test("counts a tick once per refusal reason", () => {
  const fight = sceneOnMap("courtyard", [1, 7], [13, 7]);
  const a = statsOf(fight, [{ move: "w", ...attackTurn("blast", [0, 0]) }, {}])[0]!;
  assert.deepEqual(a.rejected, { blocked: 2 });
  assert.deepEqual([a.refused_turns, a.refused_turns_by_reason], [1, { blocked: 1 }]);
});

test("counts pickups, healing and zone damage", () => {
  const fight = sceneOnMap("courtyard", [1, 1], [7, 7]);
  fight.words[TICK] = 92;
  fight.hp[0] = 110;
  fight.pickupX.fill(1);
  fight.pickupY.fill(1);
  const [a, b] = firstTwo(statsOf(fight, [], []));
  assert.deepEqual(a.pickups, { health: 1, power: 1 });
  assert.deepEqual([a.healed, a.zone_ticks, a.taken_by_source.zone, a.hp], [10, 2, 8, 112]);
  assert.deepEqual([b.zone_ticks, b.damage_dealt], [0, 0]);
});

test("counts overkill damage in full", () => {
  const fight = sceneOnMap("courtyard", [6, 7], [7, 7]);
  fight.hp[1] = 1;
  const [a, b] = firstTwo(statsOf(fight, [attackTurn("strike", "e"), {}]));
  assert.deepEqual([a.damage_dealt, b.damage_taken, b.hp, b.alive], [8, 8, 0, false]);
});
