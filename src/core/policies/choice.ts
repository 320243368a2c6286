import { BLAST, NONE, REPULSE, SCORCH } from "#core/engine/codes.ts";
import type { Grid } from "#core/engine/grid.ts";
import { ATTACKS, DIRECTIONS } from "#core/engine/types.ts";
import type { FighterId, MapRows, Observation, Target, Turn } from "#core/engine/types.ts";

/** What a bot reads of `hello`; the match id is also the seed of its own random numbers. */
export type Facts = {
  match_id: string;
  fighter: FighterId;
  map: { name: string; rows: MapRows };
};

/** A bot in one match. It is asked once a tick, in order; ticks may be missing. */
export type Policy = { turn(observation: Observation): Turn };

/** Makes a bot for one match. */
export type BotMaker = (facts: Facts) => Policy;

/** How to go: a direction or NONE in each, at most one set, and the tile where it should end. */
export type Way = { move: number; dash: number; tile: number };

/** An attack and its direction or tile, NONE without one. */
export type Strike = { attack: number; aim: number };

export const NO_STRIKE: Strike = { attack: NONE, aim: NONE };

/** The turn in words. */
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
