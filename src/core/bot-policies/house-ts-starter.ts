import { distanceBetween } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { HEALTH, NONE, POWER } from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { createBelief, updateBelief } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { createBotDice } from "./bot-dice.ts";
import type { Dice } from "./bot-dice.ts";
import { dangerMap } from "./danger.ts";
import { bestMovement, dashMovements, stepMovements } from "./movement-choice.ts";
import type { Potential } from "./movement-choice.ts";
import { forecastStep } from "./opponent-habits.ts";
import type { Forecast } from "./opponent-habits.ts";
import { NO_ATTACK, toTurn } from "./policy.ts";
import type { Policy, PolicyContext, AimedAttack } from "./policy.ts";
import { isBehind, isExposed, hpLead, idealDistance } from "./stance.ts";
import {
  scorchPath,
  canAttack,
  hookOpponent,
  shootBolt,
  slamOpponent,
  strikeOpponent,
  trapWithBlast,
} from "./tactics.ts";
import { walkBetween } from "./terrain-queries.ts";

/** Tiles of walking that one HP of damage is worth. */
export const DANGER_WEIGHT = 0.9;
const DASH_COST = 0.4;
/** Value of being one tile nearer to power, and to health at 0 HP, in tiles of walking. */
const POWER_WEIGHT = 0.7;
const HEALTH_WEIGHT = 2.4;
/** Factor for the value of a pickup that is nearer to the opponent. */
const CONTESTED_PICKUP_SHARE = 0.4;
const EXPOSED_COST = 2;
const MIN_TRAP_CHANCE = 0.55;
const MIN_BOLT_DAMAGE = 2.2;
const SCORCH_DISTANCE = 4;

/**
 * Hard: attacks when ahead, waits when behind. Learns how the opponent steps and aims accordingly.
 */
export function createTsStarter(context: PolicyContext): Policy {
  const belief = createBelief(context);
  const dice = createBotDice(context);
  return { turn: (observation) => chooseTurn(belief, dice, observation) };
}

function chooseTurn(belief: Belief, dice: Dice, observation: Observation): Turn {
  updateBelief(belief, observation);
  const { fight, seat, opponent } = belief;
  const forecast = forecastStep(belief, belief.habits);
  const movements = [
    ...stepMovements(fight, seat, opponent),
    ...dashMovements(fight, seat, opponent),
  ];
  const potential = potentialOf(belief, forecast);
  const movement = bestMovement(movements, potential, dangerMap(fight), DANGER_WEIGHT, dice);
  return toTurn(fight.grid, movement, chooseStrike(belief, movement.tile, forecast));
}

export function potentialOf(belief: Belief, forecast: Forecast): Potential {
  const { fight, seat, opponent } = belief;
  const { grid, tile } = fight;
  const idealGap = idealDistance(hpLead(fight, seat, opponent), fight.power[seat]!);
  const pickupPulls = pickupPullsFor(belief);
  const mustKeepDistance = isExposed(fight, seat, opponent);
  return (at) => {
    let worth = -meanGapError(grid, at, forecast, idealGap);
    for (const pull of pickupPulls) worth -= pull.worth * walkBetween(grid, at, pull.tile);
    if (mustKeepDistance && distanceBetween(grid, at, tile[opponent]!) <= 1) worth -= EXPOSED_COST;
    return distanceBetween(grid, at, tile[seat]!) > 1 ? worth - DASH_COST : worth;
  };
}

/**
 * Returns the expected deviation of the walking distance to the opponent from the ideal one, in
 * tiles.
 */
function meanGapError(
  grid: Grid,
  at: number,
  { tiles, chances }: Forecast,
  idealGap: number,
): number {
  return tiles.reduce(
    (sum, tile, index) => sum + chances[index]! * Math.abs(walkBetween(grid, at, tile) - idealGap),
    0,
  );
}

function pickupPullsFor({ fight, seat, opponent }: Belief): { tile: number; worth: number }[] {
  const { grid, tile, pickupX, pickupY, hp } = fight;
  const need = (RULES.hp - hp[seat]!) / RULES.hp;
  return [HEALTH, POWER]
    .filter((kind) => pickupX[kind] !== NONE)
    .map((kind) => {
      const at = pickupY[kind]! * grid.width + pickupX[kind]!;
      const isOpponentNearer =
        walkBetween(grid, tile[opponent]!, at) < walkBetween(grid, tile[seat]!, at);
      const worth = kind === HEALTH ? HEALTH_WEIGHT * need : POWER_WEIGHT;
      return { tile: at, worth: isOpponentNearer ? worth * CONTESTED_PICKUP_SHARE : worth };
    });
}

function chooseStrike(belief: Belief, endTile: number, forecast: Forecast): AimedAttack {
  if (!canAttack(belief)) return NO_ATTACK;
  const { fight, seat, opponent } = belief;
  const canHook = !isBehind(hpLead(fight, seat, opponent));
  const isNear =
    distanceBetween(fight.grid, fight.tile[seat]!, fight.tile[opponent]!) <= SCORCH_DISTANCE;
  return (
    slamOpponent(belief) ??
    strikeOpponent(belief) ??
    trapWithBlast(belief, endTile, forecast, MIN_TRAP_CHANCE) ??
    (canHook ? hookOpponent(belief) : null) ??
    shootBolt(belief, endTile, forecast, MIN_BOLT_DAMAGE) ??
    (isNear ? scorchPath(belief, endTile) : null) ??
    NO_ATTACK
  );
}
