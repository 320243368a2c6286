// How a foe tends to step, as seen by the other fighter, and where it will therefore stand next.

import { DIRECTION_COUNT, NONE } from "#core/engine/codes.ts";
import type { Fight } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";

import { walkBetween } from "./ground.ts";

const CLOSER = 0;
const SIDEWAYS = 1;
const AWAY = 2;
const STANDING = 3;
const KINDS = 4;

/** Weight of each kind of step: what was seen, added to a first opinion. */
export type Habits = Float64Array;

/** Closer is twice as likely as anything else: the opinion of a bot that does not learn. */
export const FIRST_OPINION: Readonly<Habits> = Float64Array.of(2, 1, 1, 1);
/** What was seen fades slowly, for a foe that changes its ways. */
const MEMORY = 0.97;

/** Where the foe may stand after the next tick. The chances sum to 1. */
export type Forecast = { tiles: number[]; chances: number[] };

type Duel = { fight: Fight; seat: number; foe: number };
type Watcher = { fight: Fight; habits: Habits };

export function newHabits(): Habits {
  return FIRST_OPINION.slice();
}

function kindOf(grid: Grid, own: number, from: number, to: number): number {
  if (from === to) return STANDING;
  const gain = walkBetween(grid, from, own) - walkBetween(grid, to, own);
  if (gain === 0) return SIDEWAYS;
  return gain > 0 ? CLOSER : AWAY;
}

/** Learns from one step of the foe, from tile to tile, while the watcher stood on `own`. */
export function watchStep({ fight, habits }: Watcher, own: number, from: number, to: number): void {
  if (walkBetween(fight.grid, from, to) > 1) return;
  for (let kind = 0; kind < KINDS; kind += 1) {
    const floor = FIRST_OPINION[kind]!;
    habits[kind] = floor + (habits[kind]! - floor) * MEMORY;
  }
  habits[kindOf(fight.grid, own, from, to)]! += 1;
}

/** The chances of all tiles within one step of the foe, by its habits. A stunned foe stays. */
export function forecastStep({ fight, seat, foe }: Duel, habits: Habits): Forecast {
  const { grid, tile, stun } = fight;
  const [own, from] = [tile[seat]!, tile[foe]!];
  if (stun[foe]! > 0) return { tiles: [from], chances: [1] };
  const tiles = [from];
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const to = grid.step[from * DIRECTION_COUNT + direction]!;
    if (to !== NONE && to !== own) tiles.push(to);
  }
  return weigh(
    tiles,
    tiles.map((to) => kindOf(grid, own, from, to)),
    habits,
  );
}

/** Tiles of one kind share its weight equally. */
function weigh(tiles: number[], kinds: number[], habits: Habits): Forecast {
  const shares = new Uint8Array(KINDS);
  for (const kind of kinds) shares[kind]! += 1;
  const weights = kinds.map((kind) => habits[kind]! / shares[kind]!);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { tiles, chances: weights.map((weight) => weight / total) };
}
