import { TICK } from "#core/engine/fight.ts";
import { distanceBetween } from "#core/engine/grid.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import { createBelief, updateBelief } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { createBotDice } from "./bot-dice.ts";
import type { Dice } from "./bot-dice.ts";
import { dangerMap } from "./danger.ts";
import { bestMovement, dashMovements, stepMovements } from "./movement-choice.ts";
import type { Potential } from "./movement-choice.ts";
import { DEFAULT_HABITS, forecastStep } from "./opponent-habits.ts";
import { NO_ATTACK, toTurn } from "./policy.ts";
import type { Policy, PolicyContext, AimedAttack } from "./policy.ts";
import { canAttack, repulseOpponent, shootBolt, strikeOpponent } from "./tactics.ts";
import { exitsOf, walkBetween } from "./terrain-queries.ts";

const IDEAL_DISTANCE = 5;
const DASH_DISTANCE = 2;
const EXIT_WEIGHT = 0.15;
const DANGER_WEIGHT = 0.9;
const MIN_BOLT_DAMAGE = 1.5;

/** Easy: keeps its distance, shoots, and pushes nearby opponents away. */
export function createKiter(context: PolicyContext): Policy {
  const belief = createBelief(context);
  const dice = createBotDice(context);
  return { turn: (observation) => chooseTurn(belief, dice, observation) };
}

function chooseTurn(belief: Belief, dice: Dice, observation: Observation): Turn {
  updateBelief(belief, observation);
  const { fight, seat, opponent } = belief;
  const isPressed =
    distanceBetween(fight.grid, fight.tile[seat]!, fight.tile[opponent]!) <= DASH_DISTANCE;
  const movements = [
    ...stepMovements(fight, seat, opponent),
    ...(isPressed ? dashMovements(fight, seat, opponent) : []),
  ];
  const movement = bestMovement(
    movements,
    retreatPotential(belief),
    dangerMap(fight),
    DANGER_WEIGHT,
    dice,
  );
  return toTurn(fight.grid, movement, chooseStrike(belief, movement.tile));
}

function retreatPotential({ fight, opponent }: Belief): Potential {
  const { grid, tile } = fight;
  const idealGap = Math.min(IDEAL_DISTANCE, zoneRadius(grid, fight.words[TICK]!) + 1);
  return (tileAt) =>
    EXIT_WEIGHT * exitsOf(grid, tileAt) -
    Math.abs(walkBetween(grid, tileAt, tile[opponent]!) - idealGap);
}

function chooseStrike(belief: Belief, endTile: number): AimedAttack {
  if (!canAttack(belief)) return NO_ATTACK;
  const forecast = forecastStep(belief, DEFAULT_HABITS);
  return (
    repulseOpponent(belief) ??
    shootBolt(belief, endTile, forecast, MIN_BOLT_DAMAGE) ??
    strikeOpponent(belief) ??
    NO_ATTACK
  );
}
