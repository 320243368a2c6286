// What happened in a tick as records of whole numbers, kept and written anew so that a tick
// allocates nothing. `events.ts` turns them into events.

import { BLAST, NONE, PART_TURN } from "./codes.ts";

// Kinds of records.
export const LOG_SHOUT = 0;
export const LOG_REJECTED = 1;
export const LOG_ATTACK = 2;
export const LOG_HIT = 3;
export const LOG_THROW = 4;
export const LOG_AREA_SPAWN = 5;
export const LOG_AREA_EXPLODE = 6;
export const LOG_PICKUP = 7;
export const LOG_ZONE_DAMAGE = 8;
export const LOG_PICKUP_SPAWN = 9;
export const LOG_DEATH = 10;

/** A record. A kind leaves those numbers it has no use for at NONE or 0. */
export type LogRecord = {
  kind: number;
  by: number;
  target: number;
  /** Attack, damage source, part of a turn or pickup kind. */
  what: number;
  /** Damage, hp, tiles, ticks or the reason of a refusal. */
  value: number;
  tile: number;
  /** Target of an attack, or the direction of a throw. */
  aim: number;
  /** 1 for a hit after a bounce, a push into a wall, the refusal of a shout. */
  flag: number;
};

/** Only the first `length` records count. */
export type Log = { length: number; readonly records: readonly LogRecord[] };

/** Room for more records than that many fighters can cause in a tick. */
export function newLog(seats: number): Log {
  const capacity = seats * (6 * seats + 16);
  return { length: 0, records: Array.from({ length: capacity }, emptyRecord) };
}

function emptyRecord(): LogRecord {
  return {
    kind: NONE,
    by: NONE,
    target: NONE,
    what: NONE,
    value: 0,
    tile: NONE,
    aim: NONE,
    flag: 0,
  };
}

/** Forgets the tick before. */
export function clearLog(log: Log): void {
  log.length = 0;
}

function write(
  log: Log,
  kind: number,
  by: number,
  target: number,
  what: number,
  value: number,
  tile: number,
  aim: number,
  flag: number,
): void {
  const record = log.records[log.length];
  record.kind = kind;
  record.by = by;
  record.target = target;
  record.what = what;
  record.value = value;
  record.tile = tile;
  record.aim = aim;
  record.flag = flag;
  log.length += 1;
}

export function logShout(log: Log, by: number): void {
  write(log, LOG_SHOUT, by, NONE, NONE, 0, NONE, NONE, 0);
}

export function logRejected(log: Log, by: number, part: number, reason: number): void {
  write(log, LOG_REJECTED, by, NONE, part, reason, NONE, NONE, 0);
}

export function logRejectedShout(log: Log, by: number, reason: number): void {
  write(log, LOG_REJECTED, by, NONE, PART_TURN, reason, NONE, NONE, 1);
}

export function logAttack(log: Log, by: number, attack: number, tile: number, aim: number): void {
  write(log, LOG_ATTACK, by, NONE, attack, 0, tile, aim, 0);
}

export function logHit(
  log: Log,
  by: number,
  target: number,
  source: number,
  damage: number,
  tile: number,
  ricochet: number,
): void {
  write(log, LOG_HIT, by, target, source, damage, tile, NONE, ricochet);
}

export function logThrow(
  log: Log,
  by: number,
  target: number,
  attack: number,
  tiles: number,
  tile: number,
  heading: number,
  slammed: number,
): void {
  write(log, LOG_THROW, by, target, attack, tiles, tile, heading, slammed);
}

export function logAreaSpawn(
  log: Log,
  by: number,
  attack: number,
  damage: number,
  tile: number,
): void {
  write(log, LOG_AREA_SPAWN, by, NONE, attack, damage, tile, NONE, 0);
}

export function logAreaExplode(log: Log, by: number, tile: number): void {
  write(log, LOG_AREA_EXPLODE, by, NONE, BLAST, 0, tile, NONE, 0);
}

export function logPickup(log: Log, by: number, kind: number, healed: number): void {
  write(log, LOG_PICKUP, by, NONE, kind, healed, NONE, NONE, 0);
}

export function logZoneDamage(log: Log, target: number, damage: number, tile: number): void {
  write(log, LOG_ZONE_DAMAGE, NONE, target, NONE, damage, tile, NONE, 0);
}

export function logPickupSpawn(log: Log, kind: number, ticks: number, tile: number): void {
  write(log, LOG_PICKUP_SPAWN, NONE, NONE, kind, ticks, tile, NONE, 0);
}

export function logDeath(log: Log, target: number, tile: number): void {
  write(log, LOG_DEATH, NONE, target, NONE, 0, tile, NONE, 0);
}
