// Two sparring partners to measure others by: one plays at random, one walks up and hits.

import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { Attack, AttackName, Observation, SelfView, Turn } from "#core/engine/types.ts";

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

/** Outweighs any distance: a tile with any danger is the last choice. */
const DANGER_WEIGHT = 100;
const NEAR_BY = 2;

/** Any possible step and any attack that is ready, at anything it can be aimed at. */
export function createRandomBot(facts: Facts): Policy {
  const dice = createDice(facts);
  return {
    turn: ({ moves, self }) => {
      const ready = self.stun > 0 ? [] : ATTACKS.filter((name) => self.cooldowns[name] === 0);
      return {
        ...(moves.length > 0 && { move: moves[dice.pick(moves.length)] }),
        ...(ready.length > 0 && { attack: anyAttack(ready[dice.pick(ready.length)]!, self, dice) }),
      };
    },
  };
}

/** Areas are aimed at nearby tiles, most of which are floor in sight. */
function anyAttack(name: AttackName, { x, y }: SelfView, dice: Dice): Attack {
  const form = RULES.attacks[name].target;
  if (form === "none") return { name };
  if (form === "direction") return { name, target: DIRECTIONS[dice.pick(DIRECTIONS.length)]! };
  const nearBy = () => dice.pick(2 * NEAR_BY + 1) - NEAR_BY;
  return { name, target: [x + nearBy(), y + nearBy()] };
}

/** Comes near by safe steps, and uses whichever of strike, repulse, bolt or hook reaches. */
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
