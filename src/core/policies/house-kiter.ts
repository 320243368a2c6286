import { TICK } from "#core/engine/fight.ts";
import { distanceBetween } from "#core/engine/grid.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import { newBelief, update } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { NO_STRIKE, turnOf } from "./choice.ts";
import type { Policy, Facts, Strike } from "./choice.ts";
import { dangerMap } from "./danger.ts";
import { createDice } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { bestWay, dashes, steps } from "./footwork.ts";
import type { Potential } from "./footwork.ts";
import { exitsOf, walkBetween } from "./ground.ts";
import { FIRST_OPINION, forecastStep } from "./habits.ts";
import { canAttack, pushOff, shoot, strikeFoe } from "./tactics.ts";

/** Preferred walking distance to the foe, in tiles. */
const WANTED_DISTANCE = 5;
const DASH_DISTANCE = 2;
const EXIT_WORTH = 0.15;
const DANGER_WEIGHT = 0.9;
/** Least expected damage for which a bolt is worth its recovery. */
const BOLT_WORTH = 1.5;

/** Easy: keeps its distance, shoots, and pushes away a foe that comes near. */
export function createKiter(facts: Facts): Policy {
  const belief = newBelief(facts);
  const dice = createDice(facts);
  return { turn: (observation) => kite(belief, dice, observation) };
}

function kite(belief: Belief, dice: Dice, observation: Observation): Turn {
  update(belief, observation);
  const { fight, seat, foe } = belief;
  const isPressed =
    distanceBetween(fight.grid, fight.tile[seat]!, fight.tile[foe]!) <= DASH_DISTANCE;
  const ways = [...steps(fight, seat, foe), ...(isPressed ? dashes(fight, seat, foe) : [])];
  const way = bestWay(ways, keepAway(belief), dangerMap(fight), DANGER_WEIGHT, dice);
  return turnOf(fight.grid, way, chooseStrike(belief, way.tile));
}

function keepAway({ fight, foe }: Belief): Potential {
  const { grid, tile } = fight;
  const wanted = Math.min(WANTED_DISTANCE, zoneRadius(grid, fight.words[TICK]!) + 1);
  return (at) =>
    EXIT_WORTH * exitsOf(grid, at) - Math.abs(walkBetween(grid, at, tile[foe]!) - wanted);
}

function chooseStrike(belief: Belief, after: number): Strike {
  if (!canAttack(belief)) return NO_STRIKE;
  const forecast = forecastStep(belief, FIRST_OPINION);
  return (
    pushOff(belief) ?? shoot(belief, after, forecast, BOLT_WORTH) ?? strikeFoe(belief) ?? NO_STRIKE
  );
}
