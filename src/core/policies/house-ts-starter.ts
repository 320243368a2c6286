import { HEALTH, NONE, POWER } from "#core/engine/codes.ts";
import { distanceBetween } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { newBelief, update } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { NO_STRIKE, turnOf } from "./choice.ts";
import type { Policy, Facts, Strike } from "./choice.ts";
import { dangerMap } from "./danger.ts";
import { createDice } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { bestWay, dashes, steps } from "./footwork.ts";
import type { Potential } from "./footwork.ts";
import { walkBetween } from "./ground.ts";
import { forecastStep } from "./habits.ts";
import type { Forecast } from "./habits.ts";
import { isBehind, isExposed, leadOf, wantedDistance } from "./stance.ts";
import { burnPath, canAttack, hookFoe, shoot, slam, strikeFoe, trap } from "./tactics.ts";

/** Tiles of walking that a point of damage is worth. */
export const DANGER_WEIGHT = 0.9;
const DASH_COST = 0.4;
/** Tiles of detour that power is worth, and health at 0 hp. */
const POWER_WORTH = 0.7;
const HEALTH_WORTH = 2.4;
/** The share of its worth that a pickup keeps if the foe is nearer to it. */
const LATE_SHARE = 0.4;
const EXPOSED_COST = 2;
const TRAP_WORTH = 0.55;
const BOLT_WORTH = 2.2;
const SCORCH_DISTANCE = 4;

/** Hard: presses when ahead, waits when behind, learns how the foe steps and aims accordingly. */
export function createTsStarter(facts: Facts): Policy {
  const belief = newBelief(facts);
  const dice = createDice(facts);
  return { turn: (observation) => play(belief, dice, observation) };
}

function play(belief: Belief, dice: Dice, observation: Observation): Turn {
  update(belief, observation);
  const { fight, seat, foe } = belief;
  const forecast = forecastStep(belief, belief.habits);
  const ways = [...steps(fight, seat, foe), ...dashes(fight, seat, foe)];
  const potential = potentialOf(belief, forecast);
  const way = bestWay(ways, potential, dangerMap(fight), DANGER_WEIGHT, dice);
  return turnOf(fight.grid, way, chooseStrike(belief, way.tile, forecast));
}

/** How much ts-starter wants to stand on a tile. */
export function potentialOf(belief: Belief, forecast: Forecast): Potential {
  const { fight, seat, foe } = belief;
  const { grid, tile } = fight;
  const wanted = wantedDistance(leadOf(fight, seat, foe), fight.power[seat]!);
  const pulls = pullsOf(belief);
  const mustKeepOff = isExposed(fight, seat, foe);
  return (at) => {
    let worth = -missOf(grid, at, forecast, wanted);
    for (const pull of pulls) worth -= pull.worth * walkBetween(grid, at, pull.tile);
    if (mustKeepOff && distanceBetween(grid, at, tile[foe]!) <= 1) worth -= EXPOSED_COST;
    return distanceBetween(grid, at, tile[seat]!) > 1 ? worth - DASH_COST : worth;
  };
}

/** The mean difference between the distance to the foe and the wanted one. */
function missOf(grid: Grid, at: number, { tiles, chances }: Forecast, wanted: number): number {
  return tiles.reduce(
    (sum, tile, index) => sum + chances[index]! * Math.abs(walkBetween(grid, at, tile) - wanted),
    0,
  );
}

/** Pickups, and what being a tile nearer to each is worth. */
function pullsOf({ fight, seat, foe }: Belief): { tile: number; worth: number }[] {
  const { grid, tile, pickupX, pickupY, hp } = fight;
  const need = (RULES.hp - hp[seat]!) / RULES.hp;
  return [HEALTH, POWER]
    .filter((kind) => pickupX[kind] !== NONE)
    .map((kind) => {
      const at = pickupY[kind]! * grid.width + pickupX[kind]!;
      const isLate = walkBetween(grid, tile[foe]!, at) < walkBetween(grid, tile[seat]!, at);
      const worth = kind === HEALTH ? HEALTH_WORTH * need : POWER_WORTH;
      return { tile: at, worth: isLate ? worth * LATE_SHARE : worth };
    });
}

function chooseStrike(belief: Belief, after: number, forecast: Forecast): Strike {
  if (!canAttack(belief)) return NO_STRIKE;
  const { fight, seat, foe } = belief;
  const mayHook = !isBehind(leadOf(fight, seat, foe));
  const isNear =
    distanceBetween(fight.grid, fight.tile[seat]!, fight.tile[foe]!) <= SCORCH_DISTANCE;
  return (
    slam(belief) ??
    strikeFoe(belief) ??
    trap(belief, after, forecast, TRAP_WORTH) ??
    (mayHook ? hookFoe(belief) : null) ??
    shoot(belief, after, forecast, BOLT_WORTH) ??
    (isNear ? burnPath(belief, after) : null) ??
    NO_STRIKE
  );
}
