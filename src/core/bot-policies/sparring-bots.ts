import { RULES } from "#core/engine/rules.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { Attack, AttackName, Observation, SelfView, Turn } from "#core/engine/types.ts";

import { createBelief, updateBelief } from "./belief.ts";
import type { Belief } from "./belief.ts";
import { createBotDice } from "./bot-dice.ts";
import type { Dice } from "./bot-dice.ts";
import { dangerMap } from "./danger.ts";
import { bestMovement, stepMovements } from "./movement-choice.ts";
import { NO_ATTACK, toTurn } from "./policy.ts";
import type { Policy, PolicyContext, AimedAttack } from "./policy.ts";
import {
  canAttack,
  hookOpponent,
  repulseOpponent,
  shootStraightBolt,
  strikeOpponent,
} from "./tactics.ts";
import { walkBetween } from "./terrain-queries.ts";

/** Large enough to outweigh any distance, so dangerous tiles are the last choice. */
const DANGER_WEIGHT = 100;
const MAX_OFFSET = 2;

export function createRandomBot(context: PolicyContext): Policy {
  const dice = createBotDice(context);
  return {
    turn: ({ moves, self }) => {
      const readyAttacks =
        self.stun > 0 ? [] : ATTACKS.filter((name) => self.cooldowns[name] === 0);
      return {
        ...(moves.length > 0 && { move: moves[dice.pick(moves.length)] }),
        ...(readyAttacks.length > 0 && {
          attack: randomAttack(readyAttacks[dice.pick(readyAttacks.length)]!, self, dice),
        }),
      };
    },
  };
}

/** Areas target nearby tiles, because most of those are visible floor. */
function randomAttack(name: AttackName, { x, y }: SelfView, dice: Dice): Attack {
  const form = RULES.attacks[name].target;
  if (form === "none") return { name };
  if (form === "direction") return { name, target: DIRECTIONS[dice.pick(DIRECTIONS.length)]! };
  const randomOffset = () => dice.pick(2 * MAX_OFFSET + 1) - MAX_OFFSET;
  return { name, target: [x + randomOffset(), y + randomOffset()] };
}

export function createGreedyBot(context: PolicyContext): Policy {
  const belief = createBelief(context);
  const dice = createBotDice(context);
  return { turn: (observation) => approach(belief, dice, observation) };
}

function approach(belief: Belief, dice: Dice, observation: Observation): Turn {
  updateBelief(belief, observation);
  const { fight, seat, opponent } = belief;
  const { grid, tile } = fight;
  const closeness = (at: number) => -walkBetween(grid, at, tile[opponent]!);
  const movement = bestMovement(
    stepMovements(fight, seat, opponent),
    closeness,
    dangerMap(fight),
    DANGER_WEIGHT,
    dice,
  );
  return toTurn(grid, movement, chooseStrike(belief));
}

function chooseStrike(belief: Belief): AimedAttack {
  if (!canAttack(belief)) return NO_ATTACK;
  const closeStrike = strikeOpponent(belief) ?? repulseOpponent(belief);
  return closeStrike ?? shootStraightBolt(belief) ?? hookOpponent(belief) ?? NO_ATTACK;
}
