// A fast approximation of ts-starter for playouts. Uses integers and precomputed tables and
// allocates nothing.

import { TICK } from "#core/engine/fight.ts";
import type { Fight } from "#core/engine/fight.ts";
import { distanceBetween } from "#core/engine/grid.ts";
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
} from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";
import { zoneRadius } from "#core/engine/zone.ts";

import { isReady } from "./aim.ts";
import { areaDamageAt } from "./danger.ts";
import { createReachTables } from "./reach-tables.ts";
import type { ReachTables } from "./reach-tables.ts";
import { isBehind, isExposed, hpLead, idealDistance } from "./stance.ts";

// Costs are in quarter tiles of walking.
const GAP_COST = 4;
const HP_COST = 4;
const EXPOSED_COST = 8;
const DASH_COST = 2;
const POWER_PULL = 3;
/** For this many missing HP, each step to health costs one unit. */
const HEALTH_NEED = 12;
const NOISE_RANGE = 4;
const DASH_FROM_COST = 8;
/**
 * Casts a blast or scorch on average once per this many opportunities, from at least `SAFE_GAP`
 * tiles away.
 */
const BLAST_RARITY = 4;
const SCORCH_RARITY = 2;
const SAFE_GAP = 3;
/** Spreads adjacent seeds apart, so that their first random numbers differ. */
const SEED_SPREAD = 0x9e3779b1;

/**
 * Preferred walking distance to the opponent, in tiles. Null derives the distance from the HP lead.
 */
export type PreferredGap = number | null;
export const ADAPTIVE_GAP: PreferredGap = null;
export const RUSHER_GAP: PreferredGap = 1;

export type PlayoutPolicy = {
  /** Restarts the random numbers. Playouts with the same seed draw the same numbers. */
  reseed(seed: number): void;
  play(fight: Fight, seat: number, preferredGap: PreferredGap): void;
};

type Player = {
  readonly reachTables: ReachTables;
  fight: Fight;
  seat: number;
  opponent: number;
  lead: number;
  idealGap: number;
  radius: number;
  isExposed: boolean;
  random: number;
};

export function createPlayoutPolicy(fight: Fight): PlayoutPolicy {
  const reachTables = createReachTables(fight.grid);
  const initialState = {
    seat: 0,
    opponent: 1,
    lead: 0,
    idealGap: 0,
    radius: 0,
    isExposed: false,
    random: 0,
  };
  const player: Player = { reachTables, fight, ...initialState };
  return {
    reseed: (seed) => {
      player.random = Math.imul(seed + 1, SEED_SPREAD);
    },
    play: (playoutFight, seat, preferredGap) => {
      if (playoutFight.stun[seat] === 0) play(player, playoutFight, seat, preferredGap);
    },
  };
}

function play(player: Player, fight: Fight, seat: number, preferredGap: PreferredGap): void {
  const opponent = 1 - seat;
  player.fight = fight;
  player.seat = seat;
  player.opponent = opponent;
  player.lead = hpLead(fight, seat, opponent);
  player.idealGap = preferredGap ?? idealDistance(player.lead, fight.power[seat]!);
  player.radius = zoneRadius(fight.grid, fight.words[TICK]! + 1);
  player.isExposed = isExposed(fight, seat, opponent);
  const endTile = chooseMovement(player);
  const { grid, tile } = fight;
  if (grid.sight[tile[seat]! * grid.tileCount + tile[opponent]!] === 1) attack(player, endTile);
}

/**
 * Returns a random integer below `count` from a linear congruential generator, which is good enough
 * for playouts.
 */
function randomBelow(player: Player, count: number): number {
  player.random = (Math.imul(player.random, 1664525) + 1013904223) | 0;
  return ((player.random >>> 16) * count) >>> 16;
}

function chooseMovement(player: Player): number {
  const { fight, seat, opponent } = player;
  const { grid, tile, cooldowns } = fight;
  const intent = fight.intents[seat]!;
  const from = tile[seat]!;
  let best = from;
  let minCost = costOf(player, from);
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const to = grid.step[from * DIRECTION_COUNT + direction]!;
    if (to === NONE || to === tile[opponent]) continue;
    const cost = costOf(player, to) + randomBelow(player, NOISE_RANGE);
    if (cost >= minCost) continue;
    minCost = cost;
    best = to;
    intent.move = direction;
  }
  const isDashReady = cooldowns[seat * COOLDOWN_COUNT + DASH_COOLDOWN] === 0;
  return isDashReady && minCost >= DASH_FROM_COST ? considerDash(player, best, minCost) : best;
}

function considerDash(player: Player, walkEnd: number, walkCost: number): number {
  const { fight, seat, reachTables } = player;
  const intent = fight.intents[seat]!;
  let best = walkEnd;
  let minCost = walkCost;
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const to = reachTables.dashEnd[fight.tile[seat]! * DIRECTION_COUNT + direction]!;
    if (to === NONE) continue;
    const cost = costOf(player, to) + DASH_COST;
    if (cost >= minCost) continue;
    minCost = cost;
    best = to;
    intent.move = NONE;
    intent.dash = direction;
  }
  return best;
}

function costOf(
  { fight, seat, opponent, idealGap, radius, isExposed }: Player,
  at: number,
): number {
  const { grid, tile, pickupX, hp } = fight;
  const gap = grid.walk[at * grid.tileCount + tile[opponent]!]!;
  let cost = GAP_COST * Math.abs(gap - idealGap) + HP_COST * areaDamageAt(fight, at);
  if (grid.level[at]! > radius) cost += HP_COST * RULES.zone.damage;
  if (isExposed && gap <= 1) cost += EXPOSED_COST;
  if (pickupX[POWER] !== NONE) cost += POWER_PULL * stepsToPickup(fight, at, POWER);
  if (pickupX[HEALTH] !== NONE && hp[seat]! < RULES.hp) {
    cost += ((RULES.hp - hp[seat]!) / HEALTH_NEED) * stepsToPickup(fight, at, HEALTH);
  }
  return cost;
}

export function stepsToPickup(fight: Fight, from: number, kind: number): number {
  const { grid, pickupX, pickupY } = fight;
  return grid.walk[from * grid.tileCount + pickupY[kind]! * grid.width + pickupX[kind]!]!;
}

function attack(player: Player, endTile: number): void {
  const { fight, seat, opponent, reachTables, lead } = player;
  const { grid, tile, stun } = fight;
  const tilePair = tile[seat]! * grid.tileCount + tile[opponent]!;
  const line = reachTables.line[tilePair]!;
  const gap = distanceBetween(grid, tile[seat]!, tile[opponent]!);
  if (reachTables.slam[tilePair] === 1 && isReady(fight, seat, REPULSE)) {
    setAttack(player, REPULSE, NONE);
  } else if (gap === 1 && line !== NONE && isReady(fight, seat, STRIKE)) {
    setAttack(player, STRIKE, line);
  } else if (shouldBlast(player, gap, stun[opponent]!)) {
    setAttack(player, BLAST, tile[opponent]!);
  } else if (gap > 1 && line !== NONE && !isBehind(lead) && isReady(fight, seat, HOOK)) {
    setAttack(player, HOOK, line);
  } else if (isReady(fight, seat, BOLT)) {
    const bolt = reachTables.bolt[endTile * grid.tileCount + guessOpponentTile(player)]!;
    if (bolt !== NONE) setAttack(player, BOLT, bolt);
  } else if (
    gap === SAFE_GAP &&
    isReady(fight, seat, SCORCH) &&
    randomBelow(player, SCORCH_RARITY) === 0
  ) {
    setAttack(player, SCORCH, tile[opponent]!);
  }
}

function setAttack({ fight, seat }: Player, attack: number, aim: number): void {
  const intent = fight.intents[seat]!;
  intent.attack = attack;
  intent.aim = aim;
}

function shouldBlast(player: Player, gap: number, opponentStun: number): boolean {
  if (gap < SAFE_GAP || gap > RULES.attacks.blast.range) return false;
  if (!isReady(player.fight, player.seat, BLAST)) return false;
  return opponentStun > 0 || randomBelow(player, BLAST_RARITY) === 0;
}

/**
 * Guesses the opponent's tile after the tick. It stays half of the time and otherwise steps in a
 * random direction.
 */
function guessOpponentTile(player: Player): number {
  const { fight, seat, opponent } = player;
  const { grid, tile, stun } = fight;
  const direction = randomBelow(player, 2 * DIRECTION_COUNT);
  if (stun[opponent]! > 0 || direction >= DIRECTION_COUNT) return tile[opponent]!;
  const to = grid.step[tile[opponent]! * DIRECTION_COUNT + direction]!;
  return to === NONE || to === tile[seat] ? tile[opponent]! : to;
}
