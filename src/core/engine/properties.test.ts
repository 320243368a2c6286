import assert from "node:assert/strict";
import { test } from "node:test";

import { garbagePlayer } from "#testing/fixtures/garbage-player.ts";
import type { ReferencePlayer } from "#testing/fixtures/reference-player.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { eventsOf } from "./events.ts";
import type { Fight } from "./fight.ts";
import { RANDOM_STATE, TICK, isOver, createFight } from "./fight.ts";
import type { Grid } from "./grid.ts";
import { rotatedTile } from "./grid.ts";
import { hashState } from "./hash.ts";
import { AREA_COUNT, COOLDOWN_COUNT, HEALTH, PICKUP_COUNT } from "./integer-codes.ts";
import { allGrids } from "./maps.ts";
import { observationFor } from "./observe.ts";
import { outcome } from "./outcome.ts";
import { RULES } from "./rules.ts";
import { step } from "./step.ts";
import { setSeatTurn } from "./turn.ts";
import type { Direction, Target, Turn } from "./types.ts";
import { DIRECTIONS, FIGHTER_IDS } from "./types.ts";

const MATCHES_PER_MAP = 12;

type Match = { grid: Grid; seed: number; seats: number; player: ReferencePlayer };

/** Returns matches with 2, 3 and 4 seats on every map. Half of them play garbage turns. */
function matches(): Match[] {
  return allGrids().flatMap((grid) =>
    Array.from({ length: MATCHES_PER_MAP }, (_, seed) => {
      const seats = 2 + (seed % 3);
      const isGarbage = seats > 2 || seed % 2 === 1;
      const player = isGarbage ? garbagePlayer(seed) : referencePlayer("fight", seed);
      return { grid, seed, seats, player };
    }),
  );
}

function playAll({ grid, seed, seats, player }: Match, check: (fight: Fight) => void): Fight {
  const fight = createFight(grid, seed, seats);
  while (!isOver(fight)) {
    for (let seat = 0; seat < seats; seat += 1) setSeatTurn(fight, seat, player(fight, seat));
    step(fight);
    check(fight);
  }
  return fight;
}

function seatsOf(fight: Fight): number[] {
  return Array.from({ length: fight.seats }, (_, seat) => seat);
}

test("living fighters stand on separate floor tiles with 1 to 120 HP, and fallen ones have 0 HP", () => {
  for (const match of matches()) {
    playAll(match, (fight) => {
      const living = seatsOf(fight).filter((seat) => fight.alive[seat] === 1);
      const tiles = new Set(living.map((seat) => fight.tile[seat]));
      assert.equal(tiles.size, living.length);
      for (const seat of living) {
        assert.equal(fight.grid.floor[fight.tile[seat]!], 1);
        assert.ok(fight.hp[seat]! > 0 && fight.hp[seat]! <= RULES.hp);
      }
      for (const seat of seatsOf(fight)) {
        assert.equal(fight.alive[seat] === 1, fight.hp[seat]! > 0);
        assert.equal(fight.tile[seat], fight.y[seat]! * fight.grid.width + fight.x[seat]!);
      }
    });
  }
});

test("timers stay within the limits of the rules", () => {
  for (const match of matches()) {
    playAll(match, ({ timers, stun, power, areaLeft, pickupIn }) => {
      assert.ok(timers.every((ticks) => ticks >= 0));
      assert.ok(stun.every((ticks) => ticks <= RULES.wall_slam.stun));
      assert.ok(power.every((ticks) => ticks <= RULES.power.ticks));
      assert.ok(areaLeft.every((left) => left >= 0 && left <= RULES.attacks.scorch.burns));
      assert.ok(pickupIn.every((ticks) => ticks >= 0 && ticks <= RULES.pickups.lead));
    });
  }
});

test("HP and damage dealt change only as reported by events", () => {
  for (const match of matches()) {
    const hp = Array.from({ length: match.seats }, () => RULES.hp as number);
    const dealt = hp.map(() => 0);
    playAll(match, (fight) => {
      for (const event of eventsOf(fight)) {
        if (event.type === "pickup") hp[FIGHTER_IDS.indexOf(event.by)]! += event.healed ?? 0;
        if (event.type !== "hit" && event.type !== "zone_damage") continue;
        hp[FIGHTER_IDS.indexOf(event.target)]! -= event.damage;
        const isDamageEvent = event.type === "hit" && event.by !== event.target;
        if (isDamageEvent) dealt[FIGHTER_IDS.indexOf(event.by)]! += event.damage;
      }
      assert.deepEqual(
        [...fight.hp],
        hp.map((left) => Math.max(0, left)),
      );
      assert.deepEqual([...fight.dealt], dealt);
    });
  }
});

test("the same turns produce the same states", () => {
  for (const match of matches()) {
    const hashes: number[] = [];
    playAll(match, (fight) => hashes.push(hashState(fight)));
    const isGarbage = match.seats > 2 || match.seed % 2 === 1;
    const player = isGarbage ? garbagePlayer(match.seed) : referencePlayer("fight", match.seed);
    playAll({ ...match, player }, (fight) => assert.equal(hashState(fight), hashes.shift()));
    assert.equal(hashes.length, 0);
  }
});

test("a match of garbage turns ends with a reason within the tick limit", () => {
  for (const match of matches()) {
    const fight = playAll(match, () => {});
    assert.ok(fight.words[TICK]! <= RULES.max_ticks);
    assert.notEqual(outcome(fight), null);
  }
});

test("an observation never reveals the tile of a hidden fighter", () => {
  for (const match of matches()) {
    playAll(match, (fight) => {
      for (const seat of seatsOf(fight).filter((seat) => fight.alive[seat] === 1)) {
        for (const view of observationFor(fight, seat).fighters) {
          const otherSeat = FIGHTER_IDS.indexOf(view.id);
          const isNear =
            fight.grid.sight[fight.tile[seat]! * fight.grid.tileCount + fight.tile[otherSeat]!] ===
            1;
          if ("visible" in view) assert.equal(view.visible, isNear);
          if ("visible" in view && !view.visible) assert.ok(!("x" in view || "stun" in view));
        }
      }
    });
  }
});

function rotatedDirection(direction: Direction): Direction {
  return DIRECTIONS[(DIRECTIONS.indexOf(direction) + 4) % DIRECTIONS.length]!;
}

function rotatedTarget({ width, height }: Grid, target: Target): Target {
  if (typeof target !== "string") return [width - 1 - target[0], height - 1 - target[1]];
  return DIRECTIONS.includes(target) ? rotatedDirection(target) : target;
}

function rotatedTurn(grid: Grid, turn: Turn | null): Turn | null {
  if (turn === null) return null;
  const rotated: Turn = structuredClone(turn);
  if (turn.move !== undefined) rotated.move = rotatedDirection(turn.move);
  if (turn.dash !== undefined) rotated.dash = rotatedDirection(turn.dash);
  if (turn.attack?.target !== undefined) {
    rotated.attack = { ...turn.attack, target: rotatedTarget(grid, turn.attack.target) };
  }
  return rotated;
}

function rotatedX(grid: Grid, x: number): number {
  return x < 0 ? x : grid.width - 1 - x;
}

function rotatedY(grid: Grid, y: number): number {
  return y < 0 ? y : grid.height - 1 - y;
}

function rotatePickups(from: Fight, to: Fight): void {
  for (let kind = HEALTH; kind < PICKUP_COUNT; kind += 1) {
    to.pickupX[kind] = rotatedX(from.grid, from.pickupX[kind]!);
    to.pickupY[kind] = rotatedY(from.grid, from.pickupY[kind]!);
    to.pickupIn[kind] = from.pickupIn[kind]!;
  }
}

function seatState(fight: Fight, seat: number, isRotated: boolean): unknown[] {
  const { grid } = fight;
  const areas = seat * AREA_COUNT;
  const cooldowns = seat * COOLDOWN_COUNT;
  const tile = fight.tile[seat]!;
  return [
    isRotated ? rotatedTile(grid, tile) : tile,
    ...[fight.hp, fight.alive, fight.stun, fight.power, fight.dealt].map((field) => field[seat]),
    ...fight.cooldowns.subarray(cooldowns, cooldowns + COOLDOWN_COUNT),
    ...[0, 1].flatMap((kind) => [
      isRotated ? rotatedX(grid, fight.areaX[areas + kind]!) : fight.areaX[areas + kind],
      isRotated ? rotatedY(grid, fight.areaY[areas + kind]!) : fight.areaY[areas + kind],
      fight.areaLeft[areas + kind],
      fight.areaDamage[areas + kind],
    ]),
  ];
}

test("a match with swapped seats on the turned map is a mirror image, except for random draws", () => {
  for (const match of matches().filter(({ seats }) => seats === 2)) {
    const { grid, seed, player } = match;
    const [fight, mirror] = [createFight(grid, seed), createFight(grid, seed)];
    for (const seat of [0, 1])
      assert.equal(fight.tile[seat], rotatedTile(grid, fight.tile[1 - seat]!));
    while (!isOver(fight)) {
      const turns = [0, 1].map((seat) => player(fight, seat));
      for (const seat of [0, 1]) {
        setSeatTurn(fight, seat, turns[seat]!);
        setSeatTurn(mirror, 1 - seat, rotatedTurn(grid, turns[seat]!));
      }
      step(fight);
      step(mirror);
      rotatePickups(fight, mirror);
      for (const seat of [0, 1]) {
        assert.deepEqual(seatState(fight, seat, false), seatState(mirror, 1 - seat, true));
      }
      assert.equal(mirror.words[RANDOM_STATE], fight.words[RANDOM_STATE]);
    }
    assert.equal(outcome(mirror)?.reason, outcome(fight)?.reason);
  }
});
