// Evaluates actions by simulating the next few ticks with a fast policy for both fighters.

import { RANDOM_STATE, TICK, WINNER, copyFight, isOver } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import {
  COOLDOWN_COUNT,
  DASH_COOLDOWN,
  FIRST_ATTACK_COOLDOWN,
  HEALTH,
  NONE,
  POWER,
} from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setIntent } from "#core/engine/turn.ts";
import { ATTACKS } from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import { areaDamageAt } from "./danger.ts";
import { RUSHER_GAP, ADAPTIVE_GAP, stepsToPickup } from "./playout-policy.ts";
import type { PlayoutPolicy, PreferredGap } from "./playout-policy.ts";
import type { AimedAttack, Movement } from "./policy.ts";

export type CandidateAction = { movement: Movement; strike: AimedAttack };

const PLAYOUT_TICKS = 8;
/**
 * Of this many playouts, the opponent rushes in one and keeps its typical distance in another. In
 * all others, its distance depends on the HP lead.
 */
const GAP_MIX = 6;

// Values are in HP.
const WIN = 150;
const POWER_TICK = 0.5;
const STUN_TICK = 2.5;
const COOLDOWN_TICK = 0.12;
const DASH_TICK = 0.15;
const LEVEL_STEP = 0.25;
const ZONE_STEP = 3;
const PICKUP_STEP = 0.35;
const AREA_SHARE = 0.7;

export type PlayoutRunner = {
  sumOf(action: CandidateAction, first: number, count: number): number;
};

/**
 * Creates a runner for playouts from the state of `fight`, which stays unchanged. `typicalGap` is
 * the opponent's usual walking distance.
 */
export function createPlayoutRunner(
  fight: Fight,
  scratch: Fight,
  playoutPolicy: PlayoutPolicy,
  seat: number,
  typicalGap: number,
  seed: number,
): PlayoutRunner {
  return {
    sumOf: (action, first, count) => {
      let sum = 0;
      for (let number = first; number < first + count; number += 1) {
        copyFight(fight, scratch);
        scratch.words[RANDOM_STATE] = seed + number;
        playoutPolicy.reseed(seed + number);
        playOut(scratch, playoutPolicy, seat, action, opponentGap(number, typicalGap));
        sum += evaluate(scratch, seat);
      }
      return sum;
    },
  };
}

function opponentGap(number: number, typicalGap: number): PreferredGap {
  const mixIndex = number % GAP_MIX;
  if (mixIndex === 1) return RUSHER_GAP;
  return mixIndex === 4 ? typicalGap : ADAPTIVE_GAP;
}

function playOut(
  fight: Fight,
  playoutPolicy: PlayoutPolicy,
  seat: number,
  action: CandidateAction,
  preferredGap: PreferredGap,
): void {
  const { movement, strike } = action;
  setIntent(fight, seat, movement.move, movement.dash, strike.attack, strike.aim);
  playoutPolicy.play(fight, 1 - seat, preferredGap);
  step(fight);
  for (let tick = 1; tick < PLAYOUT_TICKS && !isOver(fight); tick += 1) {
    playoutPolicy.play(fight, seat, ADAPTIVE_GAP);
    playoutPolicy.play(fight, 1 - seat, preferredGap);
    step(fight);
  }
}

function evaluate(fight: Fight, seat: number): number {
  const { words, hp } = fight;
  const opponent = 1 - seat;
  const lead = hp[seat]! - hp[opponent]!;
  if (words[WINNER] !== NONE) return lead + (words[WINNER] === seat ? WIN : -WIN);
  return lead + positionValue(fight, seat) - positionValue(fight, opponent);
}

function positionValue(fight: Fight, seat: number): number {
  const { grid, tile, power, stun } = fight;
  const ownTile = tile[seat]!;
  const tilesOutside = grid.level[ownTile]! - zoneRadius(grid, fight.words[TICK]! + 2);
  return (
    POWER_TICK * power[seat]! -
    STUN_TICK * stun[seat]! -
    cooldownCost(fight, seat) -
    LEVEL_STEP * grid.level[ownTile]! -
    (tilesOutside > 0 ? ZONE_STEP * tilesOutside : 0) -
    AREA_SHARE * areaDamageAt(fight, ownTile) -
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
