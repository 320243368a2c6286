import { cloneFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { createBelief, updateBelief } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { createBotDice } from "./bot-dice.ts";
import type { Dice } from "./bot-dice.ts";
import { candidateActions } from "./candidates.ts";
import { dangerMap } from "./danger.ts";
import { DANGER_WEIGHT, potentialOf } from "./house-ts-starter.ts";
import { dashMovements, stepMovements } from "./movement-choice.ts";
import { forecastStep } from "./opponent-habits.ts";
import type { Forecast } from "./opponent-habits.ts";
import { createPlayoutPolicy } from "./playout-policy.ts";
import type { PlayoutPolicy } from "./playout-policy.ts";
import { createPlayoutRunner } from "./playout.ts";
import type { CandidateAction, PlayoutRunner } from "./playout.ts";
import { toTurn } from "./policy.ts";
import type { Policy, PolicyContext, Movement } from "./policy.ts";
import { walkBetween } from "./terrain-queries.ts";

/** Sequential halving: each round plays more playouts for fewer, better actions. */
const ROUNDS = [
  { keep: 45, playouts: 3 },
  { keep: 12, playouts: 8 },
  { keep: 4, playouts: 20 },
];
/**
 * Each tick draws new seeds. All actions in a tick share the same seeds, so luck affects them
 * alike.
 */
const SEED_COUNT = 2 ** 31;
const INITIAL_GAP = 3;
const GAP_DECAY = 0.9;

type Planner = {
  belief: Belief;
  dice: Dice;
  scratch: Fight;
  playoutPolicy: PlayoutPolicy;
  typicalGap: number;
};

/**
 * Very hard: simulates its best candidate actions a few ticks ahead and picks the one with the best
 * mean outcome.
 */
export function createChampion(context: PolicyContext): Policy {
  const belief = createBelief(context);
  const { fight } = belief;
  const planner = {
    belief,
    dice: createBotDice(context),
    scratch: cloneFight(fight),
    playoutPolicy: createPlayoutPolicy(fight),
    typicalGap: INITIAL_GAP,
  };
  return { turn: (observation) => planTurn(planner, observation) };
}

function planTurn(planner: Planner, observation: Observation): Turn {
  const { belief } = planner;
  updateBelief(belief, observation);
  updateUsualGap(planner);
  const { fight } = belief;
  const forecast = forecastStep(belief, belief.habits);
  const actions = candidateActions(belief, rankMovements(belief, forecast), forecast);
  const { movement, strike } = bestAction(actions, createPlayouts(planner));
  return toTurn(fight.grid, movement, strike);
}

function updateUsualGap(planner: Planner): void {
  const { fight, seat, opponent, isVisible } = planner.belief;
  if (!isVisible) return;
  const gap = walkBetween(fight.grid, fight.tile[seat]!, fight.tile[opponent]!);
  planner.typicalGap = GAP_DECAY * planner.typicalGap + (1 - GAP_DECAY) * gap;
}

function rankMovements(belief: Belief, forecast: Forecast): Movement[] {
  const { fight, seat, opponent } = belief;
  const danger = dangerMap(fight);
  const potential = potentialOf(belief, forecast);
  const score = ({ tile }: Movement) => potential(tile) - DANGER_WEIGHT * danger[tile]!;
  return [...stepMovements(fight, seat, opponent), ...dashMovements(fight, seat, opponent)].sort(
    (a, b) => score(b) - score(a),
  );
}

function createPlayouts({
  belief,
  dice,
  scratch,
  playoutPolicy,
  typicalGap,
}: Planner): PlayoutRunner {
  const { fight, seat } = belief;
  return createPlayoutRunner(
    fight,
    scratch,
    playoutPolicy,
    seat,
    Math.round(typicalGap),
    dice.pick(SEED_COUNT),
  );
}

/**
 * Returns the action with the best mean value. Each round drops the worst actions and evaluates the
 * remaining ones with more playouts.
 */
function bestAction(actions: CandidateAction[], playouts: PlayoutRunner): CandidateAction {
  let rows = actions.map((action) => ({ action, sum: 0 }));
  let playoutCount = 0;
  for (const { keep: survivors, playouts: count } of ROUNDS) {
    rows = rows.slice(0, survivors);
    for (const row of rows) row.sum += playouts.sumOf(row.action, playoutCount, count);
    rows.sort((a, b) => b.sum - a.sum);
    playoutCount += count;
  }
  return rows[0]!.action;
}
