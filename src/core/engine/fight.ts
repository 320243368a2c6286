import type { Grid } from "./grid.ts";
import { AREA_COUNT, COOLDOWN_COUNT, NONE, PICKUP_COUNT } from "./integer-codes.ts";
import type { Intent } from "./intent.ts";
import { newIntent } from "./intent.ts";
import type { FightLog } from "./log.ts";
import { clearLog, newLog } from "./log.ts";
import { randomFromState, nextState } from "./random.ts";
import { RULES } from "./rules.ts";
import type { TickNotes } from "./tick-notes.ts";
import { createTickNotes } from "./tick-notes.ts";

/** Number of ticks played, which is also the number of the next tick. */
export const TICK = 0;
export const RANDOM_STATE = 1;
/** Index in `COMBAT_END_REASONS`, or NONE while the match is running. */
export const ENDING = 2;
export const WINNER = 3;
const SCALAR_COUNT = 4;

export const MIN_SEATS = 2;
export const MAX_SEATS = 4;

/**
 * The state of a match between two ticks. `words` holds the whole state, so that one call copies
 * it. The other state arrays are views of `words`. Durations are in ticks. All numbers are
 * integers.
 */
export type Fight = {
  readonly grid: Grid;
  readonly seats: number;
  readonly words: Int32Array;
  /** Indices into `words` that the state hash covers, in hash order. */
  readonly hashOrder: Uint16Array;

  // Indexed by seat. A fallen fighter keeps its tile but doesn't block it.
  /** Always matches `x` and `y`. Only `placeOnTile` writes it. */
  readonly tile: Int32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly hp: Int32Array;
  readonly alive: Int32Array;
  readonly stun: Int32Array;
  readonly power: Int32Array;
  readonly dealt: Int32Array;
  /** Remaining ticks, indexed by seat * 8 + cooldown. */
  readonly cooldowns: Int32Array;
  /** View of everything that counts down each tick: stun, power and cooldowns. */
  readonly timers: Int32Array;

  // Indexed by seat * 2 + area kind. A fighter has at most one area of each kind.
  /** Column and row of the area's centre, or -1. */
  readonly areaX: Int32Array;
  readonly areaY: Int32Array;
  /** For a blast, ticks until it explodes. For a scorch, remaining burns. */
  readonly areaLeft: Int32Array;
  readonly areaDamage: Int32Array;

  // Indexed by pickup kind.
  /** Column and row of the landed or announced pickup, or -1. */
  readonly pickupX: Int32Array;
  readonly pickupY: Int32Array;
  /** Ticks until the pickup lands. */
  readonly pickupIn: Int32Array;

  // Indexed by observer * seats + other fighter. Not part of the state hash.
  /**
   * The tile where the observer last saw the other fighter, or NONE, and the tick of that sighting.
   */
  readonly lastSeenTile: Int32Array;
  readonly lastSeenTick: Int32Array;

  readonly intents: readonly Intent[];
  readonly notes: readonly TickNotes[];
  readonly log: FightLog;
};

/**
 * Creates a fight before its first tick. `seed` is 0 to 2^32 - 1. Throws an Error unless there are
 * 2 to 4 seats.
 */
export function createFight(grid: Grid, seed: number, seats = MIN_SEATS): Fight {
  if (seats < MIN_SEATS || seats > MAX_SEATS) throw new Error(`no match has ${seats} seats`);
  const fight = allocateFight(grid, seats);
  fight.words[RANDOM_STATE] = seed;
  fight.words[ENDING] = NONE;
  fight.words[WINNER] = NONE;
  fight.hp.fill(RULES.hp);
  fight.alive.fill(1);
  for (const view of [fight.areaX, fight.areaY, fight.pickupX, fight.pickupY, fight.lastSeenTile]) {
    view.fill(NONE);
  }
  placeAtSpawns(fight);
  rememberSightings(fight);
  return fight;
}

/** Returns an independent copy of the state. The log, notes and intents start empty. */
export function cloneFight(fight: Fight): Fight {
  const clone = allocateFight(fight.grid, fight.seats);
  clone.words.set(fight.words);
  return clone;
}

/**
 * Overwrites the state of `target` with that of `from`. Both must have the same grid and number of
 * seats.
 */
export function copyFight(from: Fight, target: Fight): void {
  target.words.set(from.words);
  clearLog(target.log);
}

/** Draws a number from the match's random generator, 0 to 2^32 - 1. */
export function drawRandom(fight: Fight): number {
  const state = nextState(fight.words[RANDOM_STATE]!);
  fight.words[RANDOM_STATE] = state;
  return randomFromState(state);
}

export function placeOnTile(fight: Fight, seat: number, tile: number): void {
  fight.tile[seat] = tile;
  fight.x[seat] = fight.grid.x[tile]!;
  fight.y[seat] = fight.grid.y[tile]!;
}

export function areaTile(fight: Fight, area: number): number {
  return fight.areaY[area]! * fight.grid.width + fight.areaX[area]!;
}

export function isOver(fight: Fight): boolean {
  return fight.words[ENDING] !== NONE;
}

/**
 * Records, for each fighter, the tiles of all fighters it can see now. Observations report them as
 * `last_seen`.
 */
export function rememberSightings(fight: Fight): void {
  const { grid, seats, tile, alive } = fight;
  for (let seat = 0; seat < seats; seat += 1) {
    for (let otherSeat = 0; otherSeat < seat; otherSeat += 1) {
      if (alive[seat] === 0 || alive[otherSeat] === 0) continue;
      if (grid.sight[tile[seat]! * grid.tileCount + tile[otherSeat]!] === 0) continue;
      rememberSighting(fight, seat, otherSeat);
      rememberSighting(fight, otherSeat, seat);
    }
  }
}

function rememberSighting(fight: Fight, observer: number, otherSeat: number): void {
  const sightingIndex = observer * fight.seats + otherSeat;
  fight.lastSeenTile[sightingIndex] = fight.tile[otherSeat]!;
  fight.lastSeenTick[sightingIndex] = fight.words[TICK]!;
}

function placeAtSpawns(fight: Fight): void {
  const { spawnPairs } = fight.grid;
  if (fight.seats === MIN_SEATS) {
    const pair = spawnPairs[drawRandom(fight) % spawnPairs.length]!;
    const flip = drawRandom(fight) % pair.length;
    for (let seat = 0; seat < fight.seats; seat += 1) placeOnTile(fight, seat, pair[seat ^ flip]!);
    return;
  }
  const spawns = spawnPairs.flat().sort((a, b) => a - b);
  const rotation = drawRandom(fight) % spawns.length;
  for (let seat = 0; seat < fight.seats; seat += 1) {
    placeOnTile(fight, seat, spawns[(seat + rotation) % spawns.length]!);
  }
}

function allocateFight(grid: Grid, seats: number): Fight {
  const words = new Int32Array(wordCount(seats));
  let allocated = SCALAR_COUNT;
  const allocate = (length: number): Int32Array => {
    allocated += length;
    return viewOf(words, allocated - length, length);
  };
  const timers = allocate((2 + COOLDOWN_COUNT) * seats);
  // A single literal without spreads lets V8 store all fields inside the object.
  const fight: Fight = {
    grid,
    seats,
    words,
    hashOrder: new Uint16Array(hashedCount(seats)),
    timers,
    stun: viewOf(words, SCALAR_COUNT, seats),
    power: viewOf(words, SCALAR_COUNT + seats, seats),
    cooldowns: viewOf(words, SCALAR_COUNT + 2 * seats, COOLDOWN_COUNT * seats),
    tile: allocate(seats),
    x: allocate(seats),
    y: allocate(seats),
    hp: allocate(seats),
    alive: allocate(seats),
    dealt: allocate(seats),
    areaX: allocate(AREA_COUNT * seats),
    areaY: allocate(AREA_COUNT * seats),
    areaLeft: allocate(AREA_COUNT * seats),
    areaDamage: allocate(AREA_COUNT * seats),
    pickupX: allocate(PICKUP_COUNT),
    pickupY: allocate(PICKUP_COUNT),
    pickupIn: allocate(PICKUP_COUNT),
    lastSeenTile: allocate(seats * seats),
    lastSeenTick: allocate(seats * seats),
    intents: Array.from({ length: seats }, newIntent),
    notes: Array.from({ length: seats }, createTickNotes),
    log: newLog(),
  };
  fight.hashOrder.set(hashOrder(fight));
  return fight;
}

function viewOf({ buffer }: Int32Array, from: number, length: number): Int32Array {
  return new Int32Array(buffer, from * Int32Array.BYTES_PER_ELEMENT, length);
}

function wordCount(seats: number): number {
  const fighterWords = 8 + COOLDOWN_COUNT + 4 * AREA_COUNT;
  return SCALAR_COUNT + fighterWords * seats + 3 * PICKUP_COUNT + 2 * seats * seats;
}

function hashedCount(seats: number): number {
  const fighterWords = 7 + COOLDOWN_COUNT + 4 * AREA_COUNT;
  return 2 + fighterWords * seats + 3 * PICKUP_COUNT;
}

function hashOrder(fight: Fight): number[] {
  const order = [TICK, RANDOM_STATE];
  const add = (view: Int32Array, index: number): void => {
    order.push(view.byteOffset / view.BYTES_PER_ELEMENT + index);
  };
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const { x, y, hp, alive, stun, power } = fight;
    for (const view of [x, y, hp, alive, stun, power]) add(view, seat);
    for (let i = 0; i < COOLDOWN_COUNT; i += 1) add(fight.cooldowns, seat * COOLDOWN_COUNT + i);
    add(fight.dealt, seat);
    for (let area = seat * AREA_COUNT; area < (seat + 1) * AREA_COUNT; area += 1) {
      const { areaX, areaY, areaLeft, areaDamage } = fight;
      for (const view of [areaX, areaY, areaLeft, areaDamage]) add(view, area);
    }
  }
  for (let kind = 0; kind < PICKUP_COUNT; kind += 1) {
    for (const view of [fight.pickupX, fight.pickupY, fight.pickupIn]) add(view, kind);
  }
  return order;
}
