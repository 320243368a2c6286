// Log of a tick as integer records. Records are reused, so that a tick allocates nothing.
// `events.ts` converts them to events.

import { NONE, PART_TURN } from "./integer-codes.ts";

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

export type LogRecord = {
  kind: number;
  by: number;
  target: number;
  /** Attack, damage source, turn part or pickup kind. */
  code: number;
  /** Damage, HP, tiles, ticks or refusal reason. */
  value: number;
  tile: number;
  aim: number;
  /** 1 for a hit after a bounce, a push into a wall or a refused shout. */
  flag: number;
};

/** Only the first `length` records are valid. The array keeps the size of the busiest tick. */
export type FightLog = { length: number; readonly records: LogRecord[] };

export function newLog(): FightLog {
  return { length: 0, records: [] };
}

export function clearLog(log: FightLog): void {
  log.length = 0;
}

function emptyRecord(): LogRecord {
  return {
    kind: NONE,
    by: NONE,
    target: NONE,
    code: NONE,
    value: 0,
    tile: NONE,
    aim: NONE,
    flag: 0,
  };
}

/**
 * Returns the next record. The caller must set the fields for its kind, because the other fields
 * keep old values.
 */
function addRecord(log: FightLog, kind: number): LogRecord {
  if (log.length === log.records.length) log.records.push(emptyRecord());
  const record = log.records[log.length]!;
  log.length += 1;
  record.kind = kind;
  return record;
}

export function logShout(log: FightLog, by: number): void {
  addRecord(log, LOG_SHOUT).by = by;
}

export function logRejected(log: FightLog, by: number, part: number, reason: number): void {
  const record = addRecord(log, LOG_REJECTED);
  record.by = by;
  record.code = part;
  record.value = reason;
  record.flag = 0;
}

export function logRejectedShout(log: FightLog, by: number, reason: number): void {
  const record = addRecord(log, LOG_REJECTED);
  record.by = by;
  record.code = PART_TURN;
  record.value = reason;
  record.flag = 1;
}

export function logAttack(
  log: FightLog,
  by: number,
  attack: number,
  tile: number,
  aim: number,
): void {
  const record = addRecord(log, LOG_ATTACK);
  record.by = by;
  record.target = NONE;
  record.code = attack;
  record.tile = tile;
  record.aim = aim;
}

export function logHit(
  log: FightLog,
  by: number,
  target: number,
  source: number,
  damage: number,
  tile: number,
  ricochet: number,
): void {
  const record = addRecord(log, LOG_HIT);
  record.by = by;
  record.target = target;
  record.code = source;
  record.value = damage;
  record.tile = tile;
  record.flag = ricochet;
}

export function logThrow(
  log: FightLog,
  by: number,
  target: number,
  attack: number,
  tiles: number,
  tile: number,
  heading: number,
  slammed: number,
): void {
  const record = addRecord(log, LOG_THROW);
  record.by = by;
  record.target = target;
  record.code = attack;
  record.value = tiles;
  record.tile = tile;
  record.aim = heading;
  record.flag = slammed;
}

export function logAreaSpawn(
  log: FightLog,
  by: number,
  attack: number,
  damage: number,
  tile: number,
): void {
  const record = addRecord(log, LOG_AREA_SPAWN);
  record.by = by;
  record.code = attack;
  record.value = damage;
  record.tile = tile;
}

export function logAreaExplode(log: FightLog, by: number, tile: number): void {
  const record = addRecord(log, LOG_AREA_EXPLODE);
  record.by = by;
  record.tile = tile;
}

export function logPickup(log: FightLog, by: number, kind: number, healed: number): void {
  const record = addRecord(log, LOG_PICKUP);
  record.by = by;
  record.code = kind;
  record.value = healed;
}

export function logZoneDamage(log: FightLog, target: number, damage: number, tile: number): void {
  const record = addRecord(log, LOG_ZONE_DAMAGE);
  record.by = NONE;
  record.target = target;
  record.value = damage;
  record.tile = tile;
}

export function logPickupSpawn(log: FightLog, kind: number, ticks: number, tile: number): void {
  const record = addRecord(log, LOG_PICKUP_SPAWN);
  record.code = kind;
  record.value = ticks;
  record.tile = tile;
}

export function logDeath(log: FightLog, target: number, tile: number): void {
  const record = addRecord(log, LOG_DEATH);
  record.target = target;
  record.tile = tile;
}
