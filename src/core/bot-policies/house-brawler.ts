import type { Observation, Turn } from "#core/engine/types.ts";

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
import { canAttack, hookOpponent, shootBolt, slamOpponent, strikeOpponent } from "./tactics.ts";
import { pickupTiles, walkBetween } from "./terrain-queries.ts";

/** Walking distances to the opponent at which the bot dashes, in tiles. */
const MIN_DASH_GAP = 3;
const MAX_DASH_GAP = 6;
/** Ignores pickups up to this walking distance to the opponent, in tiles. */
const PICKUP_DISTANCE = 3;
const PICKUP_WEIGHT = 0.6;
const DANGER_WEIGHT = 0.5;
const MIN_BOLT_DAMAGE = 2.5;

/** Medium: walks up to the opponent and hits it. Uses walls and the hook where possible. */
export function createBrawler(context: PolicyContext): Policy {
  const belief = createBelief(context);
  const dice = createBotDice(context);
  return { turn: (observation) => chooseTurn(belief, dice, observation) };
}

function chooseTurn(belief: Belief, dice: Dice, observation: Observation): Turn {
  updateBelief(belief, observation);
  const { fight, seat, opponent } = belief;
  const gap = walkBetween(fight.grid, fight.tile[seat]!, fight.tile[opponent]!);
  const shouldDash = gap >= MIN_DASH_GAP && gap <= MAX_DASH_GAP;
  const movements = [
    ...stepMovements(fight, seat, opponent),
    ...(shouldDash ? dashMovements(fight, seat, opponent) : []),
  ];
  const movement = bestMovement(
    movements,
    approachPotential(belief, gap),
    dangerMap(fight),
    DANGER_WEIGHT,
    dice,
  );
  return toTurn(fight.grid, movement, chooseStrike(belief, movement.tile));
}

function approachPotential({ fight, opponent }: Belief, gap: number): Potential {
  const { grid, tile } = fight;
  const pickups = gap > PICKUP_DISTANCE ? pickupTiles(fight) : [];
  return (tileAt) => {
    const detours = pickups.map((pickup) => walkBetween(grid, tileAt, pickup));
    const detour = detours.length === 0 ? 0 : Math.min(...detours);
    return -walkBetween(grid, tileAt, tile[opponent]!) - PICKUP_WEIGHT * detour;
  };
}

function chooseStrike(belief: Belief, endTile: number): AimedAttack {
  if (!canAttack(belief)) return NO_ATTACK;
  const forecast = forecastStep(belief, DEFAULT_HABITS);
  return (
    slamOpponent(belief) ??
    strikeOpponent(belief) ??
    hookOpponent(belief) ??
    shootBolt(belief, endTile, forecast, MIN_BOLT_DAMAGE) ??
    NO_ATTACK
  );
}
