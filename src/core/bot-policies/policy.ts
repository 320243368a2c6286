import { BLAST, NONE, REPULSE, SCORCH } from "#core/engine/codes.ts";
import type { Grid } from "#core/engine/grid.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { FighterId, MapRows, Observation, Target, Turn } from "#core/engine/types.ts";

/** The data that a bot reads from `hello`. The match id also seeds its own random numbers. */
export type PolicyContext = {
  match_id: string;
  fighter: FighterId;
  map: { name: string; rows: MapRows };
};

/** A bot in one match. Called once per tick, in order; ticks may be skipped. */
export type Policy = { turn(observation: Observation): Turn };

/** Creates a bot for one match. */
export type PolicyFactory = (context: PolicyContext) => Policy;

/** A movement and its end tile: `move` or `dash` is a direction, or both are NONE. */
export type Movement = { move: number; dash: number; tile: number };

/** An attack and its direction or tile, or NONE for neither. */
export type AimedAttack = { attack: number; aim: number };

export const NO_ATTACK: AimedAttack = { attack: NONE, aim: NONE };

/** Returns the turn as in a message. */
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
