// A light copy of ts-starter for playouts: integers, tables by pairs of tiles, no allocation.

import {
  BLAST,
  BOLT,
  COOLDOWN_COUNT,
  DASH_COOLDOWN,
  DIRECTION_COUNT,
  HEALTH,
  HOOK,
  NONE,
  POWER,
  REPULSE,
  SCORCH,
  STRIKE,
} from "#core/engine/codes.ts";
import { TICK } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { distanceBetween } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import { isReady } from "./aim.ts";
import { damageOn } from "./danger.ts";
import { reachOf } from "./reach.ts";
import type { Reach } from "./reach.ts";
import { isBehind, isExposed, leadOf, wantedDistance } from "./stance.ts";

// Costs are in quarters of a tile of walking.
const GAP_COST = 4;
const HP_COST = 4;
const EXPOSED_COST = 8;
const DASH_COST = 2;
const POWER_PULL = 3;
/** Health pulls by one more for each this many hp missing. */
const HEALTH_NEED = 12;
const NOISE_RANGE = 4;
/** Below this cost a place is good enough not to consider dashes. */
const DASH_FROM_COST = 8;
/** One in this many chances of a blast or scorch is taken, at no less than this many tiles. */
const BLAST_RARITY = 4;
const SCORCH_RARITY = 2;
const SAFE_GAP = 3;
/** Separates the first draws of adjacent seeds. */
const SEED_SPREAD = 0x9e3779b1;

/**
 * Preferred walking distance of a fighter in a playout; null lets the state of the fight decide.
 */
export type Temper = number | null;
export const STARTER: Temper = null;
export const RUSHER: Temper = 1;

export type Light = {
  /** Restarts the random numbers: playouts with the same seed share their luck. */
  reseed(seed: number): void;
  /** Sets the intent of a fighter for the next tick. */
  play(fight: Fight, seat: number, temper: Temper): void;
};

/** The fighter to move, and what its choice depends on. One object is reused for all. */
type Player = {
  readonly reach: Reach;
  fight: Fight;
  seat: number;
  foe: number;
  lead: number;
  wanted: number;
  radius: number;
  isExposed: boolean;
  random: number;
};

export function createLight(fight: Fight): Light {
  const reach = reachOf(fight.grid);
  const rest = { seat: 0, foe: 1, lead: 0, wanted: 0, radius: 0, isExposed: false, random: 0 };
  const player: Player = { reach, fight, ...rest };
  return {
    reseed: (seed) => {
      player.random = Math.imul(seed + 1, SEED_SPREAD);
    },
    play: (on, seat, temper) => {
      if (on.stun[seat] === 0) play(player, on, seat, temper);
    },
  };
}

function play(player: Player, fight: Fight, seat: number, temper: Temper): void {
  const foe = 1 - seat;
  player.fight = fight;
  player.seat = seat;
  player.foe = foe;
  player.lead = leadOf(fight, seat, foe);
  player.wanted = temper ?? wantedDistance(player.lead, fight.power[seat]!);
  player.radius = zoneRadius(fight.grid, fight.words[TICK]! + 1);
  player.isExposed = isExposed(fight, seat, foe);
  const after = go(player);
  const { grid, tile } = fight;
  if (grid.sight[tile[seat]! * grid.tileCount + tile[foe]!] === 1) attack(player, after);
}

/** A random integer below `count` from a linear congruence: good enough for playouts. */
function pick(player: Player, count: number): number {
  player.random = (Math.imul(player.random, 1664525) + 1013904223) | 0;
  return ((player.random >>> 16) * count) >>> 16;
}

/** Chooses the way to go and returns the tile where it should end. */
function go(player: Player): number {
  const { fight, seat, foe } = player;
  const { grid, tile, cooldowns } = fight;
  const intent = fight.intents[seat]!;
  const from = tile[seat]!;
  let best = from;
  let least = costOf(player, from);
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const to = grid.step[from * DIRECTION_COUNT + direction]!;
    if (to === NONE || to === tile[foe]) continue;
    const cost = costOf(player, to) + pick(player, NOISE_RANGE);
    if (cost >= least) continue;
    least = cost;
    best = to;
    intent.move = direction;
  }
  const isDashReady = cooldowns[seat * COOLDOWN_COUNT + DASH_COOLDOWN] === 0;
  return isDashReady && least >= DASH_FROM_COST ? dash(player, best, least) : best;
}

/** Switches to a dash if one is better than walking to `walkEnd`. */
function dash(player: Player, walkEnd: number, walkCost: number): number {
  const { fight, seat, reach } = player;
  const intent = fight.intents[seat]!;
  let best = walkEnd;
  let least = walkCost;
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const to = reach.dashEnd[fight.tile[seat]! * DIRECTION_COUNT + direction]!;
    if (to === NONE) continue;
    const cost = costOf(player, to) + DASH_COST;
    if (cost >= least) continue;
    least = cost;
    best = to;
    intent.move = NONE;
    intent.dash = direction;
  }
  return best;
}

/** The cost of standing on a tile at the end of the tick. */
function costOf({ fight, seat, foe, wanted, radius, isExposed }: Player, at: number): number {
  const { grid, tile, pickupX, hp } = fight;
  const gap = grid.walk[at * grid.tileCount + tile[foe]!]!;
  let cost = GAP_COST * Math.abs(gap - wanted) + HP_COST * damageOn(fight, at);
  if (grid.level[at]! > radius) cost += HP_COST * RULES.zone.damage;
  if (isExposed && gap <= 1) cost += EXPOSED_COST;
  if (pickupX[POWER] !== NONE) cost += POWER_PULL * stepsToPickup(fight, at, POWER);
  if (pickupX[HEALTH] !== NONE && hp[seat]! < RULES.hp) {
    cost += ((RULES.hp - hp[seat]!) / HEALTH_NEED) * stepsToPickup(fight, at, HEALTH);
  }
  return cost;
}

/** Walking distance to a pickup that lies or is announced. */
export function stepsToPickup(fight: Fight, from: number, kind: number): number {
  const { grid, pickupX, pickupY } = fight;
  return grid.walk[from * grid.tileCount + pickupY[kind]! * grid.width + pickupX[kind]!]!;
}

/** Chooses an attack in ts-starter's order; blasts and scorches are cast now and then. */
function attack(player: Player, after: number): void {
  const { fight, seat, foe, reach, lead } = player;
  const { grid, tile, stun } = fight;
  const pair = tile[seat]! * grid.tileCount + tile[foe]!;
  const line = reach.line[pair]!;
  const gap = distanceBetween(grid, tile[seat]!, tile[foe]!);
  if (reach.slam[pair] === 1 && isReady(fight, seat, REPULSE)) {
    use(player, REPULSE, NONE);
  } else if (gap === 1 && line !== NONE && isReady(fight, seat, STRIKE)) {
    use(player, STRIKE, line);
  } else if (isBlastTime(player, gap, stun[foe]!)) {
    use(player, BLAST, tile[foe]!);
  } else if (gap > 1 && line !== NONE && !isBehind(lead) && isReady(fight, seat, HOOK)) {
    use(player, HOOK, line);
  } else if (isReady(fight, seat, BOLT)) {
    const bolt = reach.bolt[after * grid.tileCount + guessStep(player)]!;
    if (bolt !== NONE) use(player, BOLT, bolt);
  } else if (
    gap === SAFE_GAP &&
    isReady(fight, seat, SCORCH) &&
    pick(player, SCORCH_RARITY) === 0
  ) {
    use(player, SCORCH, tile[foe]!);
  }
}

function use({ fight, seat }: Player, attack: number, aim: number): void {
  const intent = fight.intents[seat]!;
  intent.attack = attack;
  intent.aim = aim;
}

function isBlastTime(player: Player, gap: number, foeStun: number): boolean {
  if (gap < SAFE_GAP || gap > RULES.attacks.blast.range) return false;
  if (!isReady(player.fight, player.seat, BLAST)) return false;
  return foeStun > 0 || pick(player, BLAST_RARITY) === 0;
}

/** Where the foe may stand after the tick: half of the time it stays, else it steps anywhere. */
function guessStep(player: Player): number {
  const { fight, seat, foe } = player;
  const { grid, tile, stun } = fight;
  const direction = pick(player, 2 * DIRECTION_COUNT);
  if (stun[foe]! > 0 || direction >= DIRECTION_COUNT) return tile[foe]!;
  const to = grid.step[tile[foe]! * DIRECTION_COUNT + direction]!;
  return to === NONE || to === tile[seat] ? tile[foe]! : to;
}
