// Fights set up by hand for tests, and their events in one line each.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NONE } from "#engine/codes.ts";
import { eventsOf } from "#engine/events.ts";
import type { Fight } from "#engine/fight.ts";
import { place, startFight } from "#engine/fight.ts";
import type { Grid } from "#engine/grid.ts";
import { gridOf } from "#engine/maps.ts";
import { step } from "#engine/step.ts";
import { setTurn } from "#engine/turn.ts";
import type { FightEvent, Target, Tile, Turn } from "#engine/types.ts";

/** One tick of a fight on the courtyard or another map, and all that must happen in it. */
export type TickCase = {
  name: string;
  map?: string;
  at: Tile[];
  before?: (fight: Fight) => void;
  turns: (Turn | null)[];
  events: string[];
};

/** One test for each case. */
export function testTicks(cases: TickCase[]): void {
  for (const { name, map = "courtyard", at, before, turns, events } of cases) {
    void test(name, () => {
      const fight = sceneOn(map, ...at);
      before?.(fight);
      assert.deepEqual(playTick(fight, ...turns), events);
    });
  }
}

/** The turn that uses an attack and does nothing else. */
export function use(name: string, target?: Target): Turn {
  return { attack: target === undefined ? { name } : { name, target } };
}

/** A fight on a map of the ladder with its fighters on these tiles, one seat a tile. */
export function sceneOn(map: string, ...tiles: Tile[]): Fight {
  const fight = startFight(gridOf(map)!, 1, tiles.length);
  for (const [seat, tile] of tiles.entries()) place(fight, seat, tileAt(fight.grid, tile));
  fight.seenTile.fill(NONE);
  return fight;
}

export function tileAt(grid: Grid, [x, y]: Tile): number {
  return y * grid.width + x;
}

/** Plays one tick with these turns in seat order and tells what happened. */
export function playTick(fight: Fight, ...turns: (Turn | null)[]): string[] {
  for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
  step(fight);
  return eventsOf(fight).map(tell);
}

/** Plays idle ticks and tells what happened in the last of them. */
export function playIdle(fight: Fight, ticks: number): string[] {
  for (let tick = 1; tick < ticks; tick += 1) step(fight);
  return playTick(fight);
}

// Fields that speak for themselves are told without their name.
const NAMELESS = new Set("by target name kind part reason text direction damage".split(" "));

/** An event in one line; fields that are absent are left out. */
export function tell({ type, ...fields }: FightEvent): string {
  const { x, y, ...rest } = fields as Record<string, unknown> & { x?: number; y?: number };
  const words = Object.entries(rest).map(([name, value]) =>
    NAMELESS.has(name) ? String(value) : `${name}=${String(value)}`,
  );
  const spot = x === undefined ? [] : [`@${x},${y}`];
  return [type, ...words, ...spot].join(" ");
}
