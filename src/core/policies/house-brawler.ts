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
import { pickupTiles, walkBetween } from "./ground.ts";
import { FIRST_OPINION, forecastStep } from "./habits.ts";
import { canAttack, hookFoe, shoot, slam, strikeFoe } from "./tactics.ts";

/** Walking distance to the foe from which a dash is worth it. */
const DASH_FROM = 3;
const DASH_TO = 6;
/** Nearer than this, only the foe counts. */
const PICKUP_DISTANCE = 3;
const PICKUP_WORTH = 0.6;
const DANGER_WEIGHT = 0.5;
const BOLT_WORTH = 2.5;

/** Medium: walks up to the foe and hits it, using walls and the hook where they help. */
export function createBrawler(facts: Facts): Policy {
  const belief = newBelief(facts);
  const dice = createDice(facts);
  return { turn: (observation) => brawl(belief, dice, observation) };
}

function brawl(belief: Belief, dice: Dice, observation: Observation): Turn {
  update(belief, observation);
  const { fight, seat, foe } = belief;
  const gap = walkBetween(fight.grid, fight.tile[seat]!, fight.tile[foe]!);
  const mayDash = gap >= DASH_FROM && gap <= DASH_TO;
  const ways = [...steps(fight, seat, foe), ...(mayDash ? dashes(fight, seat, foe) : [])];
  const way = bestWay(ways, closeIn(belief, gap), dangerMap(fight), DANGER_WEIGHT, dice);
  return turnOf(fight.grid, way, chooseStrike(belief, way.tile));
}

function closeIn({ fight, foe }: Belief, gap: number): Potential {
  const { grid, tile } = fight;
  const pickups = gap > PICKUP_DISTANCE ? pickupTiles(fight) : [];
  return (at) => {
    const detours = pickups.map((pickup) => walkBetween(grid, at, pickup));
    const detour = detours.length === 0 ? 0 : Math.min(...detours);
    return -walkBetween(grid, at, tile[foe]!) - PICKUP_WORTH * detour;
  };
}

function chooseStrike(belief: Belief, after: number): Strike {
  if (!canAttack(belief)) return NO_STRIKE;
  const forecast = forecastStep(belief, FIRST_OPINION);
  return (
    slam(belief) ??
    strikeFoe(belief) ??
    hookFoe(belief) ??
    shoot(belief, after, forecast, BOLT_WORTH) ??
    NO_STRIKE
  );
}
