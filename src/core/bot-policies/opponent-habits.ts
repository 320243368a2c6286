import type { Fight } from "#core/engine/fight.ts";
import type { Grid } from "#core/engine/grid.ts";
import { DIRECTION_COUNT, NONE } from "#core/engine/integer-codes.ts";

import { walkBetween } from "./terrain-queries.ts";

const CLOSER = 0;
const SIDEWAYS = 1;
const AWAY = 2;
const STANDING = 3;
const KINDS = 4;

/** Weight by kind of step: a prior plus decayed observations. */
export type Habits = Float64Array;

/**
 * Prior weights. Steps towards the fighter are twice as likely as any other kind. Bots that don't
 * learn always use these.
 */
export const DEFAULT_HABITS: Readonly<Habits> = Float64Array.of(2, 1, 1, 1);
/** Old observations lose weight, because opponents may change their habits. */
const HABIT_DECAY = 0.97;

/** Tiles on which the opponent may stand after the next tick. The chances sum to 1. */
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
 * Learns from one step of the opponent. `ownTile` is the observer's tile before the step. Ignores
 * dashes.
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
 * Returns the chance of each tile within one step of the opponent. A stunned opponent stays in
 * place.
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

function toForecast(tiles: number[], kinds: number[], habits: Habits): Forecast {
  const kindCounts = new Uint8Array(KINDS);
  for (const kind of kinds) kindCounts[kind]! += 1;
  const weights = kinds.map((kind) => habits[kind]! / kindCounts[kind]!);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { tiles, chances: weights.map((weight) => weight / total) };
}
