// What a pair of movement and attack is worth, found by playing the fight on a few ticks with light
// copies.

import {
  COOLDOWN_COUNT,
  DASH_COOLDOWN,
  FIRST_ATTACK_COOLDOWN,
  HEALTH,
  NONE,
  POWER,
} from "#core/engine/codes.ts";
import { RANDOM_STATE, TICK, WINNER, copyFight, isOver } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setIntent } from "#core/engine/turn.ts";
import { ATTACKS } from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import type { Strike, Way } from "./choice.ts";
import { damageOn } from "./danger.ts";
import { RUSHER, STARTER, stepsToPickup } from "./light.ts";
import type { Light, Temper } from "./light.ts";

export type Action = { way: Way; strike: Strike };

const TICKS_DEEP = 8;
/** One in this many playouts has a rusher as the opponent, and one a fighter that keeps its gap. */
const TEMPER_MIX = 6;

// Worths in hp.
const WIN = 150;
const POWER_TICK = 0.5;
const STUN_TICK = 2.5;
const COOLDOWN_TICK = 0.12;
const DASH_TICK = 0.15;
const LEVEL_STEP = 0.25;
const ZONE_STEP = 3;
const PICKUP_STEP = 0.35;
const AREA_SHARE = 0.7;

export type Playouts = {
  /** The sum of an action's worth over `count` playouts, numbered from `first`. */
  sumOf(action: Action, first: number, count: number): number;
};

/** Playouts from a fight; `usualGap` is the distance an opponent keeps if it keeps one. */
export function playoutsFrom(
  fight: Fight,
  scratch: Fight,
  light: Light,
  seat: number,
  usualGap: number,
  seed: number,
): Playouts {
  return {
    sumOf: (action, first, count) => {
      let sum = 0;
      for (let number = first; number < first + count; number += 1) {
        copyFight(fight, scratch);
        scratch.words[RANDOM_STATE] = seed + number;
        light.reseed(seed + number);
        playOn(scratch, light, seat, action, temperOf(number, usualGap));
        sum += worthOf(scratch, seat);
      }
      return sum;
    },
  };
}

function temperOf(number: number, usualGap: number): Temper {
  const drawn = number % TEMPER_MIX;
  if (drawn === 1) return RUSHER;
  return drawn === 4 ? usualGap : STARTER;
}

function playOn(fight: Fight, light: Light, seat: number, action: Action, temper: Temper): void {
  const { way, strike } = action;
  setIntent(fight, seat, way.move, way.dash, strike.attack, strike.aim);
  light.play(fight, 1 - seat, temper);
  step(fight);
  for (let tick = 1; tick < TICKS_DEEP && !isOver(fight); tick += 1) {
    light.play(fight, seat, STARTER);
    light.play(fight, 1 - seat, temper);
    step(fight);
  }
}

/** How the fight stands for a fighter, in hp. */
function worthOf(fight: Fight, seat: number): number {
  const { words, hp } = fight;
  const foe = 1 - seat;
  const lead = hp[seat]! - hp[foe]!;
  if (words[WINNER] !== NONE) return lead + (words[WINNER] === seat ? WIN : -WIN);
  return lead + standingOf(fight, seat) - standingOf(fight, foe);
}

/** The parts of a fighter's situation other than hp. */
function standingOf(fight: Fight, seat: number): number {
  const { grid, tile, power, stun } = fight;
  const at = tile[seat]!;
  const beyond = grid.level[at]! - zoneRadius(grid, fight.words[TICK]! + 2);
  return (
    POWER_TICK * power[seat]! -
    STUN_TICK * stun[seat]! -
    cooldownCost(fight, seat) -
    LEVEL_STEP * grid.level[at]! -
    (beyond > 0 ? ZONE_STEP * beyond : 0) -
    AREA_SHARE * damageOn(fight, at) -
    pickupCost(fight, seat)
  );
}

function cooldownCost({ cooldowns }: Fight, seat: number): number {
  const first = seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN;
  let cost = DASH_TICK * cooldowns[seat * COOLDOWN_COUNT + DASH_COOLDOWN]!;
  for (let i = first; i < first + ATTACKS.length; i += 1) cost += COOLDOWN_TICK * cooldowns[i]!;
  return cost;
}

function pickupCost(fight: Fight, seat: number): number {
  const { tile, hp, pickupX } = fight;
  let cost = 0;
  for (let kind = HEALTH; kind <= POWER; kind += 1) {
    if (pickupX[kind] === NONE) continue;
    const need = kind === POWER ? 1 : (RULES.hp - hp[seat]!) / RULES.hp;
    cost += PICKUP_STEP * need * stepsToPickup(fight, tile[seat]!, kind);
  }
  return cost;
}
