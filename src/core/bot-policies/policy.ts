import type { Grid } from "#core/engine/grid.ts";
import { BLAST, NONE, REPULSE, SCORCH } from "#core/engine/integer-codes.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { FighterId, MapRows, Observation, Target, Turn } from "#core/engine/types.ts";

/** The part of `hello` that a bot reads. The match id also seeds the bot's own random numbers. */
export type PolicyContext = {
  match_id: string;
  fighter: FighterId;
  map: { name: string; rows: MapRows };
};

/** A bot in one match. Called once per tick, in order. Ticks may be skipped. */
export type Policy = { turn(observation: Observation): Turn };

export type PolicyFactory = (context: PolicyContext) => Policy;

/**
 * A movement with its end tile. `move` and `dash` are directions; both are NONE for standing still.
 */
export type Movement = { move: number; dash: number; tile: number };

/** An attack with its direction or tile. Without a target, `aim` is NONE. */
export type AimedAttack = { attack: number; aim: number };

export const NO_ATTACK: AimedAttack = { attack: NONE, aim: NONE };

export function toTurn(grid: Grid, movement: Movement, { attack, aim }: AimedAttack): Turn {
  return {
    ...(movement.move !== NONE && { move: DIRECTIONS[movement.move]! }),
    ...(movement.dash !== NONE && { dash: DIRECTIONS[movement.dash]! }),
    ...(attack !== NONE && { attack: { name: ATTACKS[attack]!, ...targetOf(grid, attack, aim) } }),
  };
}

function targetOf(grid: Grid, attack: number, aim: number): { target?: Target } {
  if (attack === REPULSE) return {};
  const isTile = attack === BLAST || attack === SCORCH;
  return { target: isTile ? [grid.x[aim]!, grid.y[aim]!] : DIRECTIONS[aim]! };
}
