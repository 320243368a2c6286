// Two partners to measure others by: one does anything, one is the bot in words of the rules.

import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { Observation, Turn } from "#core/engine/types.ts";

import { newBelief, update } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { NO_STRIKE, turnOf } from "./choice.ts";
import type { Policy, Facts, Strike } from "./choice.ts";
import { dangerMap } from "./danger.ts";
import { createDice } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { bestWay, steps } from "./footwork.ts";
import { walkBetween } from "./ground.ts";
import { canAttack, hookFoe, pushOff, shootStraight, strikeFoe } from "./tactics.ts";

/** Dwarfs every distance: a tile with any danger is the last choice. */
const DANGER_WEIGHT = 100;

/** Any possible step and any attack, at anything. */
export function createRandomBot(facts: Facts): Policy {
  const dice = createDice(facts);
  const [width, height] = [facts.map.rows[0]!.length, facts.map.rows.length];
  const pickTarget = () => {
    const tile = [dice.pick(width), dice.pick(height)] as const;
    return dice.pick(2) === 0 ? DIRECTIONS[dice.pick(DIRECTIONS.length)]! : tile;
  };
  return {
    turn: ({ moves }) => ({
      ...(moves.length > 0 && { move: moves[dice.pick(moves.length)]! }),
      attack: { name: ATTACKS[dice.pick(ATTACKS.length)]!, target: pickTarget() },
    }),
  };
}

/** Comes near by safe steps; strikes, repulses, bolts or hooks whatever that reaches. */
export function createGreedyBot(facts: Facts): Policy {
  const belief = newBelief(facts);
  const dice = createDice(facts);
  return { turn: (observation) => comeNear(belief, dice, observation) };
}

function comeNear(belief: Belief, dice: Dice, observation: Observation): Turn {
  update(belief, observation);
  const { fight, seat, foe } = belief;
  const { grid, tile } = fight;
  const nearness = (at: number) => -walkBetween(grid, at, tile[foe]!);
  const way = bestWay(steps(fight, seat, foe), nearness, dangerMap(fight), DANGER_WEIGHT, dice);
  return turnOf(grid, way, chooseStrike(belief));
}

function chooseStrike(belief: Belief): Strike {
  if (!canAttack(belief)) return NO_STRIKE;
  const near = strikeFoe(belief) ?? pushOff(belief);
  return near ?? shootStraight(belief) ?? hookFoe(belief) ?? NO_STRIKE;
}
