// What a bot believes about the fight: its observation, plus guesses about hidden state.

import { TICK, placeOnTile, createFight } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { rotatedTile } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";
import {
  AREA_COUNT,
  BLAST_AREA,
  COOLDOWN_COUNT,
  FIRST_ATTACK_COOLDOWN,
  HEALTH,
  NONE,
  POWER,
  SCORCH_AREA,
} from "#core/engine/integer-codes.ts";
import { ATTACK_COOLDOWNS, ATTACK_RECOVERIES } from "#core/engine/rules.ts";
import { ATTACKS, COOLDOWNS, FIGHTER_IDS } from "#core/engine/types.ts";
import type { AreaView, FightEvent, FighterView, Observation } from "#core/engine/types.ts";

import { createHabits, learnFromStep } from "./opponent-habits.ts";
import type { Habits } from "./opponent-habits.ts";
import type { PolicyContext } from "./policy.ts";
import { sharedGridFor } from "./terrain-queries.ts";

export type Belief = {
  /** Rebuilt from every observation. Its random state differs from the match's. */
  readonly fight: Fight;
  readonly seat: number;
  readonly opponent: number;
  readonly habits: Habits;
  isVisible: boolean;
  /** Last tile on which the opponent is known to have stood, or NONE. */
  lastKnownTile: number;
};

export function createBelief({ map, fighter }: PolicyContext): Belief {
  const seat = FIGHTER_IDS.indexOf(fighter);
  const fight = createFight(sharedGridFor(map), 0);
  return {
    fight,
    seat,
    opponent: 1 - seat,
    habits: createHabits(),
    isVisible: false,
    lastKnownTile: NONE,
  };
}

export function updateBelief(belief: Belief, observation: Observation): void {
  const { fight, seat, opponent } = belief;
  const elapsed = Math.max(0, observation.tick - fight.words[TICK]!);
  const previousTiles = {
    own: fight.tile[seat]!,
    foe: belief.isVisible ? fight.tile[opponent]! : NONE,
  };
  fight.words[TICK] = observation.tick;
  readSelf(fight, seat, observation);
  readAreas(fight, observation.areas);
  readPickups(fight, observation);
  for (const view of observation.fighters) readOpponent(belief, view, observation.events, elapsed);
  if (belief.isVisible && previousTiles.foe !== NONE && elapsed === 1) {
    const to = fight.tile[opponent]!;
    if (!wasThrown(belief, observation.events))
      learnFromStep(belief, previousTiles.own, previousTiles.foe, to);
  }
}

function tileAt(grid: Grid, { x, y }: { x: number; y: number }): number {
  return y * grid.width + x;
}

function readSelf(fight: Fight, seat: number, { self }: Observation): void {
  placeOnTile(fight, seat, tileAt(fight.grid, self));
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

function readOpponent(
  belief: Belief,
  view: FighterView,
  events: readonly FightEvent[],
  elapsed: number,
): void {
  const { fight, opponent } = belief;
  if ("alive" in view) return;
  fight.hp[opponent] = view.hp;
  fight.power[opponent] = view.power;
  belief.isVisible = view.visible;
  if (!view.visible) {
    belief.lastKnownTile = revealedTile(belief, events) ?? belief.lastKnownTile;
    advanceHiddenTimers(belief, events, elapsed);
    placeOnTile(fight, opponent, guessOpponentTile(belief));
    return;
  }
  belief.lastKnownTile = tileAt(fight.grid, view);
  placeOnTile(fight, opponent, belief.lastKnownTile);
  fight.stun[opponent] = view.stun;
  for (const [index, name] of COOLDOWNS.entries()) {
    if (name === "shout") continue;
    fight.cooldowns[opponent * COOLDOWN_COUNT + index] = view.cooldowns[name];
  }
}

function revealedTile(
  { fight, opponent }: Belief,
  events: readonly FightEvent[],
): number | undefined {
  const revealingEvent = events.findLast(
    (event) => "target" in event && event.target === FIGHTER_IDS[opponent] && "x" in event,
  );
  return revealingEvent &&
    "x" in revealingEvent &&
    revealingEvent.x !== undefined &&
    revealingEvent.y !== undefined
    ? tileAt(fight.grid, { x: revealingEvent.x, y: revealingEvent.y })
    : undefined;
}

/** Cooldowns of a hidden opponent aren't visible, but fighters learn of every attack. */
function advanceHiddenTimers(
  { fight, opponent }: Belief,
  events: readonly FightEvent[],
  elapsed: number,
): void {
  const first = opponent * COOLDOWN_COUNT;
  fight.stun[opponent] = Math.max(0, fight.stun[opponent]! - elapsed);
  for (let i = first; i < first + COOLDOWN_COUNT; i += 1) {
    fight.cooldowns[i] = Math.max(0, fight.cooldowns[i]! - elapsed);
  }
  for (const event of events) {
    if (event.type !== "attack" || event.by !== FIGHTER_IDS[opponent]) continue;
    const usedAttack = ATTACKS.indexOf(event.name);
    for (let attack = 0; attack < ATTACKS.length; attack += 1) {
      const ticks =
        attack === usedAttack ? ATTACK_COOLDOWNS[usedAttack]! : ATTACK_RECOVERIES[usedAttack]!;
      const cooldown = first + FIRST_ATTACK_COOLDOWN + attack;
      fight.cooldowns[cooldown] = Math.max(fight.cooldowns[cooldown]!, ticks - 1);
    }
  }
}

/**
 * Returns the hidden floor tile nearest to the opponent's last known tile. If the bot has never
 * seen the opponent, starts from the mirror image of its own tile.
 */
function guessOpponentTile({ fight, seat, lastKnownTile }: Belief): number {
  const { grid, tile } = fight;
  const origin = lastKnownTile === NONE ? rotatedTile(grid, tile[seat]!) : lastKnownTile;
  let best = origin;
  let fewestSteps = Infinity;
  for (let candidate = 0; candidate < grid.tileCount; candidate += 1) {
    const isUnseen = grid.sight[tile[seat]! * grid.tileCount + candidate] === 0;
    const steps = grid.walk[origin * grid.tileCount + candidate]!;
    if (grid.floor[candidate] === 0 || !isUnseen || steps >= fewestSteps) continue;
    best = candidate;
    fewestSteps = steps;
  }
  return best;
}

function wasThrown({ opponent }: Belief, events: readonly FightEvent[]): boolean {
  return events.some(
    ({ type, ...event }) =>
      (type === "repulse" || type === "pull") &&
      "target" in event &&
      event.target === FIGHTER_IDS[opponent],
  );
}
