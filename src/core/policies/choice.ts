import { BLAST, NONE, REPULSE, SCORCH } from "#core/engine/codes.ts";
import type { Grid } from "#core/engine/grid.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { FighterId, MapRows, Observation, Target, Turn } from "#core/engine/types.ts";

/** What a bot reads from `hello`. The match id also seeds its own random numbers. */
export type Facts = {
  match_id: string;
  fighter: FighterId;
  map: { name: string; rows: MapRows };
};

/** A bot in one match. It is asked once per tick, in order; ticks may be skipped. */
export type Policy = { turn(observation: Observation): Turn };

/** Creates a bot for one match. */
export type BotMaker = (facts: Facts) => Policy;

/**
 * A movement: `move` or `dash` is a direction, or both are NONE; and the tile where it should end.
 */
export type Way = { move: number; dash: number; tile: number };

/** An attack and its direction or tile, or NONE for neither. */
export type Strike = { attack: number; aim: number };

export const NO_STRIKE: Strike = { attack: NONE, aim: NONE };

/** The turn as a message has it. */
export function turnOf(grid: Grid, way: Way, { attack, aim }: Strike): Turn {
  return {
    ...(way.move !== NONE && { move: DIRECTIONS[way.move]! }),
    ...(way.dash !== NONE && { dash: DIRECTIONS[way.dash]! }),
    ...(attack !== NONE && { attack: { name: ATTACKS[attack]!, ...targetOf(grid, attack, aim) } }),
  };
}

function targetOf(grid: Grid, attack: number, aim: number): { target?: Target } {
  if (attack === REPULSE) return {};
  const isTile = attack === BLAST || attack === SCORCH;
  return { target: isTile ? [grid.x[aim]!, grid.y[aim]!] : DIRECTIONS[aim]! };
}
