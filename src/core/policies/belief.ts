// The fight as a bot believes it to be: what the observation says, and guesses about the rest.

import {
  AREA_COUNT,
  BLAST_AREA,
  COOLDOWN_COUNT,
  FIRST_ATTACK_COOLDOWN,
  HEALTH,
  NONE,
  POWER,
  SCORCH_AREA,
} from "#core/engine/codes.ts";
import { TICK, place, startFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { turnedTile } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import { ATTACK_COOLDOWNS, ATTACK_RECOVERIES } from "#core/engine/rules.ts";
import { ATTACKS, COOLDOWNS, FIGHTER_IDS } from "#core/engine/types.ts";
import type { AreaView, FightEvent, FighterView, Observation } from "#core/engine/types.ts";

import type { Facts } from "./choice.ts";
import { gridFor } from "./ground.ts";
import { newHabits, watchStep } from "./habits.ts";
import type { Habits } from "./habits.ts";

export type Belief = {
  /** Rebuilt from every observation. Its random numbers are not those of the match. */
  readonly fight: Fight;
  readonly seat: number;
  readonly foe: number;
  /** How the foe tends to step. */
  readonly habits: Habits;
  /** Whether the foe is in sight now. */
  isVisible: boolean;
  /** The tile where the foe was last known to be, or NONE. */
  trace: number;
};

export function newBelief({ map, fighter }: Facts): Belief {
  const seat = FIGHTER_IDS.indexOf(fighter);
  const fight = startFight(gridFor(map), 0);
  return { fight, seat, foe: 1 - seat, habits: newHabits(), isVisible: false, trace: NONE };
}

/** Takes in the observation of the next tick. */
export function update(belief: Belief, observation: Observation): void {
  const { fight, seat, foe } = belief;
  const elapsed = Math.max(0, observation.tick - fight.words[TICK]!);
  const from = { own: fight.tile[seat]!, foe: belief.isVisible ? fight.tile[foe]! : NONE };
  fight.words[TICK] = observation.tick;
  readSelf(fight, seat, observation);
  readAreas(fight, observation.areas);
  readPickups(fight, observation);
  for (const view of observation.fighters) readFoe(belief, view, observation.events, elapsed);
  if (belief.isVisible && from.foe !== NONE && elapsed === 1) {
    const to = fight.tile[foe]!;
    if (!wasThrown(belief, observation.events)) watchStep(belief, from.own, from.foe, to);
  }
}

function tileAt(grid: Grid, { x, y }: { x: number; y: number }): number {
  return y * grid.width + x;
}

function readSelf(fight: Fight, seat: number, { self }: Observation): void {
  place(fight, seat, tileAt(fight.grid, self));
  fight.hp[seat] = self.hp;
  fight.stun[seat] = self.stun;
  fight.power[seat] = self.power;
  for (const [index, name] of COOLDOWNS.entries()) {
    fight.cooldowns[seat * COOLDOWN_COUNT + index] = self.cooldowns[name];
  }
}

function readAreas(fight: Fight, areas: readonly AreaView[]): void {
  fight.areaX.fill(NONE);
  fight.areaY.fill(NONE);
  fight.areaLeft.fill(0);
  for (const { name, by, x, y, in: fuse, left, damage } of areas) {
    const kind = name === "blast" ? BLAST_AREA : SCORCH_AREA;
    const area = FIGHTER_IDS.indexOf(by) * AREA_COUNT + kind;
    fight.areaX[area] = x;
    fight.areaY[area] = y;
    fight.areaLeft[area] = fuse ?? left ?? 0;
    fight.areaDamage[area] = damage;
  }
}

function readPickups(fight: Fight, { pickups }: Observation): void {
  fight.pickupX.fill(NONE);
  fight.pickupY.fill(NONE);
  for (const pickup of pickups) {
    const kind = pickup.kind === "health" ? HEALTH : POWER;
    fight.pickupX[kind] = pickup.x;
    fight.pickupY[kind] = pickup.y;
    fight.pickupIn[kind] = pickup.in;
  }
}

function readFoe(
  belief: Belief,
  view: FighterView,
  events: readonly FightEvent[],
  elapsed: number,
): void {
  const { fight, foe } = belief;
  if ("alive" in view) return;
  fight.hp[foe] = view.hp;
  fight.power[foe] = view.power;
  belief.isVisible = view.visible;
  if (!view.visible) {
    belief.trace = traceIn(belief, events) ?? belief.trace;
    waitUnseen(belief, events, elapsed);
    place(fight, foe, guessTile(belief));
    return;
  }
  belief.trace = tileAt(fight.grid, view);
  place(fight, foe, belief.trace);
  fight.stun[foe] = view.stun;
  for (const [index, name] of COOLDOWNS.entries()) {
    if (name === "shout") continue;
    fight.cooldowns[foe * COOLDOWN_COUNT + index] = view.cooldowns[name];
  }
}

/** The foe's tile, if an event that concerned it in the last tick reveals it. */
function traceIn({ fight, foe }: Belief, events: readonly FightEvent[]): number | undefined {
  const told = events.findLast(
    (event) => "target" in event && event.target === FIGHTER_IDS[foe] && "x" in event,
  );
  return told && "x" in told && told.x !== undefined && told.y !== undefined
    ? tileAt(fight.grid, { x: told.x, y: told.y })
    : undefined;
}

/** A hidden foe's cooldowns are not shown, but every attack is heard. */
function waitUnseen({ fight, foe }: Belief, events: readonly FightEvent[], elapsed: number): void {
  const first = foe * COOLDOWN_COUNT;
  fight.stun[foe] = Math.max(0, fight.stun[foe]! - elapsed);
  for (let i = first; i < first + COOLDOWN_COUNT; i += 1) {
    fight.cooldowns[i] = Math.max(0, fight.cooldowns[i]! - elapsed);
  }
  for (const event of events) {
    if (event.type !== "attack" || event.by !== FIGHTER_IDS[foe]) continue;
    const used = ATTACKS.indexOf(event.name);
    for (let attack = 0; attack < ATTACKS.length; attack += 1) {
      const ticks = attack === used ? ATTACK_COOLDOWNS[used]! : ATTACK_RECOVERIES[used]!;
      const cooldown = first + FIRST_ATTACK_COOLDOWN + attack;
      fight.cooldowns[cooldown] = Math.max(fight.cooldowns[cooldown]!, ticks - 1);
    }
  }
}

/** The unseen floor tile nearest to the foe's trace; before any trace, to the mirror image. */
function guessTile({ fight, seat, trace }: Belief): number {
  const { grid, tile } = fight;
  const origin = trace === NONE ? turnedTile(grid, tile[seat]!) : trace;
  let best = origin;
  let fewest = Infinity;
  for (let candidate = 0; candidate < grid.tileCount; candidate += 1) {
    const isUnseen = grid.sight[tile[seat]! * grid.tileCount + candidate] === 0;
    const steps = grid.walk[origin * grid.tileCount + candidate]!;
    if (grid.floor[candidate] === 0 || !isUnseen || steps >= fewest) continue;
    best = candidate;
    fewest = steps;
  }
  return best;
}

function wasThrown({ foe }: Belief, events: readonly FightEvent[]): boolean {
  return events.some(
    ({ type, ...event }) =>
      (type === "repulse" || type === "pull") &&
      "target" in event &&
      event.target === FIGHTER_IDS[foe],
  );
}
