// The reference generator of the rules page: both fighters draw their turns from the full state.

import { BLAST, DIRECTION_COUNT, NONE, REPULSE, directionOf } from "#engine/codes.ts";
import type { Fight } from "#engine/fight.ts";
import { drawnFrom, nextState } from "#engine/random.ts";
import type { Attack, Tile, Turn } from "#engine/types.ts";
import { ATTACKS, DIRECTIONS } from "#engine/types.ts";

const PLAYS = ["fight", "idle", "calm"] as const;
export type Play = (typeof PLAYS)[number];

/** Chooses the turn of a seat from the fight before the tick; null idles. */
export type Player = (fight: Fight, seat: number) => Turn | null;

/** One player for both seats of a match with this seed. */
export function referencePlayer(play: Play, seed: number): Player {
  if (play === "idle") return () => null;
  if (play === "calm") return walkToCenter;
  const draws = [0, 1].map((seat) => mulberry32(10 * seed + 1 + seat));
  return (fight, seat) => fightTurn(fight, seat, draws[seat]);
}

/** Draws of a mulberry32 of its own, each 0 to 2^32 - 1. */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = nextState(state);
    return drawnFrom(state);
  };
}

function walkToCenter({ grid, x, y }: Fight, seat: number): Turn {
  const direction = directionOf(grid.center[0] - x[seat], grid.center[1] - y[seat]);
  return direction === NONE ? {} : { move: DIRECTIONS[direction] };
}

function fightTurn(fight: Fight, seat: number, draw: () => number): Turn {
  const [u1, u2, u3, u4] = [draw(), draw(), draw(), draw()];
  const { x, y } = fight;
  const towards = directionOf(x[1 - seat] - x[seat], y[1 - seat] - y[seat]);
  const turn: Turn = {};
  const heading = u1 % 3 === 0 ? (u1 >>> 8) % (DIRECTION_COUNT + 1) : towards;
  if (heading < DIRECTION_COUNT) turn[u2 % 6 === 0 ? "dash" : "move"] = DIRECTIONS[heading];
  const attack = (u3 >>> 8) % ATTACKS.length;
  if (u3 % 2 === 0) turn.attack = attackOf(fight, 1 - seat, attack, towards, u4);
  return turn;
}

function attackOf(fight: Fight, enemy: number, attack: number, towards: number, u: number): Attack {
  const name = ATTACKS[attack];
  const isRandom = u % 4 === 0;
  if (attack === REPULSE) return { name };
  if (attack >= BLAST) {
    const { grid } = fight;
    const tile = isRandom ? (u >>> 8) % grid.tileCount : fight.tile[enemy];
    return { name, target: [grid.x[tile], grid.y[tile]] satisfies Tile };
  }
  return { name, target: DIRECTIONS[isRandom ? (u >>> 8) % DIRECTION_COUNT : towards] };
}
