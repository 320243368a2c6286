import { cloneFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { newBelief, update } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { candidates } from "./candidates.ts";
import { turnOf } from "./choice.ts";
import type { Policy, Facts, Way } from "./choice.ts";
import { dangerMap } from "./danger.ts";
import { createDice } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { dashes, steps } from "./footwork.ts";
import { walkBetween } from "./ground.ts";
import { forecastStep } from "./habits.ts";
import type { Forecast } from "./habits.ts";
import { DANGER_WEIGHT, potentialOf } from "./house-ts-starter.ts";
import { createLight } from "./light.ts";
import type { Light } from "./light.ts";
import { playoutsFrom } from "./playout.ts";
import type { Action, Playouts } from "./playout.ts";

/** Sequential halving: in each round, more playouts for fewer of the best actions. */
const ROUNDS = [
  { keep: 45, playouts: 3 },
  { keep: 12, playouts: 8 },
  { keep: 4, playouts: 20 },
];
/** Each tick has its own luck, shared by all of its actions. */
const SEEDS = 2 ** 31;
const FIRST_GAP = 3;
const GAP_MEMORY = 0.9;

type Planner = { belief: Belief; dice: Dice; scratch: Fight; light: Light; usualGap: number };

/**
 * Very hard: plays out the likely continuations of its best ideas and takes the one that does best.
 */
export function createChampion(facts: Facts): Policy {
  const belief = newBelief(facts);
  const { fight } = belief;
  const planner = {
    belief,
    dice: createDice(facts),
    scratch: cloneFight(fight),
    light: createLight(fight),
    usualGap: FIRST_GAP,
  };
  return { turn: (observation) => plan(planner, observation) };
}

function plan(planner: Planner, observation: Observation): Turn {
  const { belief } = planner;
  update(belief, observation);
  watchGap(planner);
  const { fight } = belief;
  const forecast = forecastStep(belief, belief.habits);
  const actions = candidates(belief, rankedWays(belief, forecast), forecast);
  const { way, strike } = bestOf(actions, playoutsOf(planner));
  return turnOf(fight.grid, way, strike);
}

function watchGap(planner: Planner): void {
  const { fight, seat, foe, isVisible } = planner.belief;
  if (!isVisible) return;
  const gap = walkBetween(fight.grid, fight.tile[seat]!, fight.tile[foe]!);
  planner.usualGap = GAP_MEMORY * planner.usualGap + (1 - GAP_MEMORY) * gap;
}

/** All ways to go, best first by ts-starter's judgement. */
function rankedWays(belief: Belief, forecast: Forecast): Way[] {
  const { fight, seat, foe } = belief;
  const danger = dangerMap(fight);
  const potential = potentialOf(belief, forecast);
  const score = ({ tile }: Way) => potential(tile) - DANGER_WEIGHT * danger[tile]!;
  return [...steps(fight, seat, foe), ...dashes(fight, seat, foe)].sort(
    (a, b) => score(b) - score(a),
  );
}

function playoutsOf({ belief, dice, scratch, light, usualGap }: Planner): Playouts {
  const { fight, seat } = belief;
  return playoutsFrom(fight, scratch, light, seat, Math.round(usualGap), dice.pick(SEEDS));
}

/** The action with the best mean. Every round drops the worse ones and looks closer at the rest. */
function bestOf(actions: Action[], playouts: Playouts): Action {
  let rows = actions.map((action) => ({ action, sum: 0 }));
  let played = 0;
  for (const { keep, playouts: count } of ROUNDS) {
    rows = rows.slice(0, keep);
    for (const row of rows) row.sum += playouts.sumOf(row.action, played, count);
    rows.sort((a, b) => b.sum - a.sum);
    played += count;
  }
  return rows[0]!.action;
}
