import { AREA_COUNT, COOLDOWN_COUNT, NONE, PICKUP_COUNT } from "./codes.ts";
import type { Grid } from "./grid.ts";
import type { Intent } from "./intent.ts";
import { newIntent } from "./intent.ts";
import type { FightLog } from "./log.ts";
import { clearLog, newLog } from "./log.ts";
import type { Note } from "./note.ts";
import { newNote } from "./note.ts";
import { drawnFrom, nextState } from "./random.ts";
import { RULES } from "./rules.ts";

// Scalars of a match, by index into `words`.
/** Ticks played: the number of the tick that `step` plays next. */
export const TICK = 0;
export const RANDOM_STATE = 1;
/** NONE while the match runs, then the number of a combat end reason. */
export const ENDING = 2;
/** The winner's seat, or NONE. */
export const WINNER = 3;
const MATCH_WORDS = 4;

export const MIN_SEATS = 2;
export const MAX_SEATS = 4;

/**
 * A match between two ticks. All state lies in `words`, so one call copies it; the other state
 * arrays are views of it. Times are in ticks, and all numbers are integers.
 */
export type Fight = {
  readonly grid: Grid;
  readonly seats: number;
  readonly words: Int32Array;
  /** Indices into `words` that the state hash covers, in hash order. */
  readonly hashOrder: Uint16Array;

  // By seat. A fallen fighter keeps its tile, though it no longer stands there.
  /** Where the fighter stands, as do `x` and `y`. Written only by `place`. */
  readonly tile: Int32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly hp: Int32Array;
  /** 1 or 0. */
  readonly alive: Int32Array;
  /** Turns still to be lost. */
  readonly stun: Int32Array;
  /** Ticks of the buff left. */
  readonly power: Int32Array;
  /** Damage dealt to others so far. */
  readonly dealt: Int32Array;
  /** Ticks to wait, by seat * 8 + number of the cooldown. */
  readonly cooldowns: Int32Array;
  /** Everything that counts down by one each tick: stun, power and cooldowns, in sequence. */
  readonly timers: Int32Array;

  // By seat * 2 + number of the area: a fighter has at most one of each kind.
  /** Centre of the area, -1 when there is none. */
  readonly areaX: Int32Array;
  readonly areaY: Int32Array;
  /** Blast: it explodes at the end of the nth tick from now. Scorch: burns left. */
  readonly areaLeft: Int32Array;
  readonly areaDamage: Int32Array;

  // By number of the pickup kind.
  /** Where it lies or is announced, or -1. */
  readonly pickupX: Int32Array;
  readonly pickupY: Int32Array;
  /** Ticks until it can be taken. */
  readonly pickupIn: Int32Array;

  // By observer * seats + other. What a fighter remembers is not part of the state hash.
  /**
   * The tile where the observer last saw the other fighter, or NONE, and the observation it was in.
   */
  readonly seenTile: Int32Array;
  readonly seenTick: Int32Array;

  /** What the fighters want to do in the next tick, by seat; `step` consumes it. */
  readonly intents: readonly Intent[];
  /** Intermediate results of the last tick played, by seat. */
  readonly notes: readonly Note[];
  /** What happened in the last tick played. */
  readonly log: FightLog;
};

/** The fight before its first tick. `seed` is 0 to 2^32 - 1, `seats` 2 to 4. */
export function startFight(grid: Grid, seed: number, seats = MIN_SEATS): Fight {
  if (seats < MIN_SEATS || seats > MAX_SEATS) throw new Error(`no match has ${seats} seats`);
  const fight = emptyFight(grid, seats);
  fight.words[RANDOM_STATE] = seed;
  fight.words[ENDING] = NONE;
  fight.words[WINNER] = NONE;
  fight.hp.fill(RULES.hp);
  fight.alive.fill(1);
  for (const window of [fight.areaX, fight.areaY, fight.pickupX, fight.pickupY, fight.seenTile]) {
    window.fill(NONE);
  }
  placeAll(fight);
  remember(fight);
  return fight;
}

/** An independent copy. The log, the notes and the intents are not copied. */
export function cloneFight(fight: Fight): Fight {
  const clone = emptyFight(fight.grid, fight.seats);
  clone.words.set(fight.words);
  return clone;
}

/**
 * Overwrites the state of `to` with that of `from`, which has the same grid and number of seats.
 */
export function copyFight(from: Fight, to: Fight): void {
  to.words.set(from.words);
  clearLog(to.log);
}

/** Draws one of the match's own random numbers, 0 to 2^32 - 1. */
export function draw(fight: Fight): number {
  const state = nextState(fight.words[RANDOM_STATE]!);
  fight.words[RANDOM_STATE] = state;
  return drawnFrom(state);
}

/** Puts a fighter on a tile. */
export function place(fight: Fight, seat: number, tile: number): void {
  fight.tile[seat] = tile;
  fight.x[seat] = fight.grid.x[tile]!;
  fight.y[seat] = fight.grid.y[tile]!;
}

/** The centre of a running area. */
export function areaTile(fight: Fight, area: number): number {
  return fight.areaY[area]! * fight.grid.width + fight.areaX[area]!;
}

/** Whether the end check has ended the match. */
export function isOver(fight: Fight): boolean {
  return fight.words[ENDING] !== NONE;
}

/** Remembers every fighter that each fighter now sees, and where: the source of `last_seen`. */
export function remember(fight: Fight): void {
  const { grid, seats, tile, alive } = fight;
  for (let seat = 0; seat < seats; seat += 1) {
    for (let other = 0; other < seat; other += 1) {
      if (alive[seat] === 0 || alive[other] === 0) continue;
      if (grid.sight[tile[seat]! * grid.tileCount + tile[other]!] === 0) continue;
      rememberOne(fight, seat, other);
      rememberOne(fight, other, seat);
    }
  }
}

function rememberOne(fight: Fight, observer: number, other: number): void {
  const memory = observer * fight.seats + other;
  fight.seenTile[memory] = fight.tile[other]!;
  fight.seenTick[memory] = fight.words[TICK]!;
}

function placeAll(fight: Fight): void {
  const { spawnPairs } = fight.grid;
  if (fight.seats === MIN_SEATS) {
    const pair = spawnPairs[draw(fight) % spawnPairs.length]!;
    const flip = draw(fight) % pair.length;
    for (let seat = 0; seat < fight.seats; seat += 1) place(fight, seat, pair[seat ^ flip]!);
    return;
  }
  const spawns = spawnPairs.flat().sort((a, b) => a - b);
  const turn = draw(fight) % spawns.length;
  for (let seat = 0; seat < fight.seats; seat += 1) {
    place(fight, seat, spawns[(seat + turn) % spawns.length]!);
  }
}

function emptyFight(grid: Grid, seats: number): Fight {
  const words = new Int32Array(wordCount(seats));
  let taken = MATCH_WORDS;
  const take = (length: number): Int32Array => {
    taken += length;
    return windowOn(words, taken - length, length);
  };
  const timers = take((2 + COOLDOWN_COUNT) * seats);
  // One literal without spreads, so that V8 keeps all fields inside the object.
  const fight: Fight = {
    grid,
    seats,
    words,
    hashOrder: new Uint16Array(hashedCount(seats)),
    timers,
    stun: windowOn(words, MATCH_WORDS, seats),
    power: windowOn(words, MATCH_WORDS + seats, seats),
    cooldowns: windowOn(words, MATCH_WORDS + 2 * seats, COOLDOWN_COUNT * seats),
    tile: take(seats),
    x: take(seats),
    y: take(seats),
    hp: take(seats),
    alive: take(seats),
    dealt: take(seats),
    areaX: take(AREA_COUNT * seats),
    areaY: take(AREA_COUNT * seats),
    areaLeft: take(AREA_COUNT * seats),
    areaDamage: take(AREA_COUNT * seats),
    pickupX: take(PICKUP_COUNT),
    pickupY: take(PICKUP_COUNT),
    pickupIn: take(PICKUP_COUNT),
    seenTile: take(seats * seats),
    seenTick: take(seats * seats),
    intents: Array.from({ length: seats }, newIntent),
    notes: Array.from({ length: seats }, newNote),
    log: newLog(),
  };
  fight.hashOrder.set(hashOrder(fight));
  return fight;
}

function windowOn({ buffer }: Int32Array, from: number, length: number): Int32Array {
  return new Int32Array(buffer, from * Int32Array.BYTES_PER_ELEMENT, length);
}

function wordCount(seats: number): number {
  const fighterWords = 8 + COOLDOWN_COUNT + 4 * AREA_COUNT;
  return MATCH_WORDS + fighterWords * seats + 3 * PICKUP_COUNT + 2 * seats * seats;
}

function hashedCount(seats: number): number {
  const fighterWords = 7 + COOLDOWN_COUNT + 4 * AREA_COUNT;
  return 2 + fighterWords * seats + 3 * PICKUP_COUNT;
}

/** Indices of the words that the state hash covers, in the order in which the rules list them. */
function hashOrder(fight: Fight): number[] {
  const order = [TICK, RANDOM_STATE];
  const add = (window: Int32Array, index: number): void => {
    order.push(window.byteOffset / window.BYTES_PER_ELEMENT + index);
  };
  for (let seat = 0; seat < fight.seats; seat += 1) {
    const { x, y, hp, alive, stun, power } = fight;
    for (const window of [x, y, hp, alive, stun, power]) add(window, seat);
    for (let i = 0; i < COOLDOWN_COUNT; i += 1) add(fight.cooldowns, seat * COOLDOWN_COUNT + i);
    add(fight.dealt, seat);
    for (let area = seat * AREA_COUNT; area < (seat + 1) * AREA_COUNT; area += 1) {
      const { areaX, areaY, areaLeft, areaDamage } = fight;
      for (const window of [areaX, areaY, areaLeft, areaDamage]) add(window, area);
    }
  }
  for (let kind = 0; kind < PICKUP_COUNT; kind += 1) {
    for (const window of [fight.pickupX, fight.pickupY, fight.pickupIn]) add(window, kind);
  }
  return order;
}
