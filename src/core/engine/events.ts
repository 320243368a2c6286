import type { Fight } from "./fight.ts";
import type { Grid } from "./grid.ts";
import {
  BLAST,
  NONE,
  PART_ATTACK,
  REFUSED_BLOCKED,
  REFUSED_UNKNOWN_ATTACK,
  REPULSE,
} from "./integer-codes.ts";
import type { LogRecord } from "./log.ts";
import {
  LOG_AREA_EXPLODE,
  LOG_AREA_SPAWN,
  LOG_ATTACK,
  LOG_DEATH,
  LOG_HIT,
  LOG_PICKUP,
  LOG_PICKUP_SPAWN,
  LOG_REJECTED,
  LOG_SHOUT,
  LOG_THROW,
  LOG_ZONE_DAMAGE,
} from "./log.ts";
import { ATTACK_TARGETS, RULES } from "./rules.ts";
import type { AreaName, AttackName, FightEvent, FighterId, RefusalCause, Target } from "./types.ts";
import {
  ATTACKS,
  DAMAGE_SOURCES,
  DIRECTIONS,
  FIGHTER_IDS,
  PICKUPS,
  REFUSALS,
  TURN_PARTS,
} from "./types.ts";

const { blast: BLAST_RULES, scorch: SCORCH_RULES } = RULES.attacks;

export function eventsOf(fight: Fight): FightEvent[] {
  const events: FightEvent[] = [];
  const { length, records } = fight.log;
  for (let i = 0; i < length; i += 1) events.push(fullEvent(fight, records[i]!));
  return events;
}

/** Returns the events of the last tick as seen by one fighter, in order. */
export function eventsFor(fight: Fight, seat: number): FightEvent[] {
  const events: FightEvent[] = [];
  const { length, records } = fight.log;
  for (let i = 0; i < length; i += 1) {
    const event = visibleEvent(fight, records[i]!, seat);
    if (event !== null) events.push(event);
  }
  return events;
}

function visibleEvent(fight: Fight, record: LogRecord, seat: number): FightEvent | null {
  switch (record.kind) {
    case LOG_REJECTED:
      return record.by === seat ? { ...refusalForSeat(record), ...causeOf(fight, record) } : null;
    case LOG_ATTACK:
      return isVisibleTo(fight, record, seat)
        ? fullEvent(fight, record)
        : unseenAttackEvent(record);
    case LOG_HIT:
    case LOG_THROW:
    case LOG_ZONE_DAMAGE:
      return isVisibleTo(fight, record, seat) ? fullEvent(fight, record) : null;
    default:
      return fullEvent(fight, record);
  }
}

function isVisibleTo(fight: Fight, record: LogRecord, seat: number): boolean {
  const { grid, tile } = fight;
  if (record.by === seat || record.target === seat) return true;
  return grid.sight[tile[seat]! * grid.tileCount + record.tile] === 1;
}

type EventBuilder = (fight: Fight, record: LogRecord) => FightEvent;

const EVENT_BUILDERS: Readonly<Record<number, EventBuilder>> = {
  [LOG_SHOUT]: shout,
  [LOG_REJECTED]: refusal,
  [LOG_ATTACK]: attackEvent,
  [LOG_HIT]: hit,
  [LOG_THROW]: throwEvent,
  [LOG_AREA_SPAWN]: areaSpawnEvent,
  [LOG_AREA_EXPLODE]: areaExplodeEvent,
  [LOG_PICKUP]: pickup,
  [LOG_ZONE_DAMAGE]: zoneDamage,
  [LOG_PICKUP_SPAWN]: pickupSpawnEvent,
  [LOG_DEATH]: death,
};

function fullEvent(fight: Fight, record: LogRecord): FightEvent {
  return EVENT_BUILDERS[record.kind]!(fight, record);
}

function shout(fight: Fight, record: LogRecord): FightEvent {
  const { shoutText } = fight.notes[record.by]!;
  return { type: "shout", by: by(record), text: shoutText };
}

function refusal(_: Fight, record: LogRecord): FightEvent {
  const { type, ...reason } = refusalForSeat(record);
  return { type, by: by(record), ...reason };
}

function refusalForSeat(record: LogRecord): FightEvent & { type: "rejected" } {
  const part = TURN_PARTS[record.code]!;
  const reason = REFUSALS[record.value]!;
  const isShout = record.flag === 1;
  return { type: "rejected", part, reason, ...(isShout && { field: "shout" as const }) };
}

function causeOf({ notes }: Fight, { by, code, value }: LogRecord): { cause?: RefusalCause } {
  const { aim, movePart, thrower } = notes[by]!;
  if (value === REFUSED_UNKNOWN_ATTACK) return aim === NONE ? {} : { cause: ATTACKS[aim]! };
  if (value !== REFUSED_BLOCKED || code === PART_ATTACK) return {};
  // Otherwise the move passed validation, and something stopped it later.
  if (movePart === NONE) return { cause: "wall" };
  return { cause: thrower === NONE ? "fighter" : "thrown" };
}

function unseenAttackEvent(record: LogRecord): FightEvent & { type: "attack" } {
  return { type: "attack", by: by(record), name: attackName(record) };
}

function attackEvent(fight: Fight, record: LogRecord): FightEvent {
  const target = targetOf(fight.grid, record);
  return { ...unseenAttackEvent(record), ...positionOf(fight, record), target };
}

function targetOf(grid: Grid, { code, aim }: LogRecord): Target | null {
  const form = ATTACK_TARGETS[code];
  if (form === "none") return null;
  return form === "tile" ? [grid.x[aim]!, grid.y[aim]!] : DIRECTIONS[aim]!;
}

function hit(fight: Fight, record: LogRecord): FightEvent {
  const ricochet = record.flag === 1;
  return {
    type: "hit",
    by: by(record),
    target: target(record),
    name: DAMAGE_SOURCES[record.code] as AttackName | "wall_slam" | "collision",
    damage: record.value,
    ...(ricochet && { ricochet }),
    ...positionOf(fight, record),
  };
}

function throwEvent(fight: Fight, record: LogRecord): FightEvent {
  const names = { by: by(record), target: target(record) };
  const direction = DIRECTIONS[record.aim]!;
  const tiles = record.value;
  const end = positionOf(fight, record);
  if (record.code !== REPULSE) {
    return { type: "pull", ...names, direction, tiles, ...end };
  }
  const slam = record.flag === 1;
  return { type: "repulse", ...names, direction, tiles, slam, ...end };
}

function areaSpawnEvent(fight: Fight, record: LogRecord): FightEvent {
  const name = attackName(record) as AreaName;
  const isBlast = record.code === BLAST;
  return {
    type: "area_spawn",
    by: by(record),
    name,
    ...positionOf(fight, record),
    radius: RULES.attacks[name].radius,
    damage: record.value,
    ...(isBlast ? { in: BLAST_RULES.fuse } : { left: SCORCH_RULES.burns }),
  };
}

function areaExplodeEvent(fight: Fight, record: LogRecord): FightEvent {
  const { radius } = BLAST_RULES;
  const center = positionOf(fight, record);
  return { type: "area_explode", by: by(record), name: "blast", ...center, radius };
}

function pickup(_: Fight, record: LogRecord): FightEvent {
  const kind = PICKUPS[record.code]!;
  const pickupFields = { type: "pickup" as const, by: by(record), kind };
  return kind === "health" ? { ...pickupFields, healed: record.value } : pickupFields;
}

function zoneDamage(fight: Fight, record: LogRecord): FightEvent {
  const damage = record.value;
  return { type: "zone_damage", target: target(record), damage, ...positionOf(fight, record) };
}

function pickupSpawnEvent(fight: Fight, record: LogRecord): FightEvent {
  const kind = PICKUPS[record.code]!;
  const ticks = record.value;
  return { type: "pickup_spawn", kind, ...positionOf(fight, record), in: ticks };
}

function death(fight: Fight, record: LogRecord): FightEvent {
  return { type: "death", target: target(record), ...positionOf(fight, record) };
}

function by(record: LogRecord): FighterId {
  return FIGHTER_IDS[record.by]!;
}

function target(record: LogRecord): FighterId {
  return FIGHTER_IDS[record.target]!;
}

function attackName(record: LogRecord): AttackName {
  return ATTACKS[record.code]!;
}

function positionOf({ grid }: Fight, { tile }: LogRecord): { x: number; y: number } {
  return { x: grid.x[tile]!, y: grid.y[tile]! };
}
