// Learns how an opponent tends to step, and predicts its next tile.

import { DIRECTION_COUNT, NONE } from "#core/engine/codes.ts";
import type { Fight } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";

import { walkBetween } from "./terrain-queries.ts";

const CLOSER = 0;
const SIDEWAYS = 1;
const AWAY = 2;
const STANDING = 3;
const KINDS = 4;

/** Weight of each kind of step: observations added to a prior. */
export type Habits = Float64Array;

/**
 * Prior: steps towards the fighter are twice as likely as any other. Used as is by bots that don't
 * learn.
 */
export const DEFAULT_HABITS: Readonly<Habits> = Float64Array.of(2, 1, 1, 1);
/** Observations fade slowly, in case the opponent changes its habits. */
const HABIT_DECAY = 0.97;

/** Tiles where the opponent may stand after the next tick. The chances sum to 1. */
export type Forecast = { tiles: number[]; chances: number[] };

type OpponentView = { fight: Fight; seat: number; opponent: number };
type HabitTracker = { fight: Fight; habits: Habits };

export function createHabits(): Habits {
  return DEFAULT_HABITS.slice();
}

function stepKind(grid: Grid, ownTile: number, from: number, to: number): number {
  if (from === to) return STANDING;
  const tilesGained = walkBetween(grid, from, ownTile) - walkBetween(grid, to, ownTile);
  if (tilesGained === 0) return SIDEWAYS;
  return tilesGained > 0 ? CLOSER : AWAY;
}

/**
 * Learns from one step of the opponent, from tile to tile, while the observer stood on `ownTile`.
 */
export function learnFromStep(
  { fight, habits }: HabitTracker,
  ownTile: number,
  from: number,
  to: number,
): void {
  if (walkBetween(fight.grid, from, to) > 1) return;
  for (let kind = 0; kind < KINDS; kind += 1) {
    const floor = DEFAULT_HABITS[kind]!;
    habits[kind] = floor + (habits[kind]! - floor) * HABIT_DECAY;
  }
  habits[stepKind(fight.grid, ownTile, from, to)]! += 1;
}

/**
 * Returns the chances of all tiles within one step of the opponent, by its habits. A stunned
 * opponent stays.
 */
export function forecastStep({ fight, seat, opponent }: OpponentView, habits: Habits): Forecast {
  const { grid, tile, stun } = fight;
  const [ownTile, from] = [tile[seat]!, tile[opponent]!];
  if (stun[opponent]! > 0) return { tiles: [from], chances: [1] };
  const tiles = [from];
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const to = grid.step[from * DIRECTION_COUNT + direction]!;
    if (to !== NONE && to !== ownTile) tiles.push(to);
  }
  return toForecast(
    tiles,
    tiles.map((to) => stepKind(grid, ownTile, from, to)),
    habits,
  );
}

/** Tiles of one kind share its weight equally. */
function toForecast(tiles: number[], kinds: number[], habits: Habits): Forecast {
  const kindCounts = new Uint8Array(KINDS);
  for (const kind of kinds) kindCounts[kind]! += 1;
  const weights = kinds.map((kind) => habits[kind]! / kindCounts[kind]!);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { tiles, chances: weights.map((weight) => weight / total) };
}
