import {
  BLAST,
  NONE,
  PART_ATTACK,
  REFUSED_BLOCKED,
  REFUSED_UNKNOWN_ATTACK,
  REPULSE,
} from "./codes.ts";
import type { Fight } from "./fight.ts";
import type { Grid } from "./grid.ts";
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

/** Everything that happened in the last tick played, in order. */
export function eventsOf(fight: Fight): FightEvent[] {
  const events: FightEvent[] = [];
  const { length, records } = fight.log;
  for (let i = 0; i < length; i += 1) events.push(whole(fight, records[i]!));
  return events;
}

/** The part of those events that the fighter of a seat is told. */
export function eventsFor(fight: Fight, seat: number): FightEvent[] {
  const events: FightEvent[] = [];
  const { length, records } = fight.log;
  for (let i = 0; i < length; i += 1) {
    const event = viewed(fight, records[i]!, seat);
    if (event !== null) events.push(event);
  }
  return events;
}

function viewed(fight: Fight, record: LogRecord, seat: number): FightEvent | null {
  switch (record.kind) {
    case LOG_REJECTED:
      return record.by === seat ? { ...ownRefusal(record), ...causeOf(fight, record) } : null;
    case LOG_ATTACK:
      return isSeenBy(fight, record, seat) ? whole(fight, record) : heardAttack(record);
    case LOG_HIT:
    case LOG_THROW:
    case LOG_ZONE_DAMAGE:
      return isSeenBy(fight, record, seat) ? whole(fight, record) : null;
    default:
      return whole(fight, record);
  }
}

function isSeenBy(fight: Fight, record: LogRecord, seat: number): boolean {
  const { grid, tile } = fight;
  if (record.by === seat || record.target === seat) return true;
  return grid.sight[tile[seat]! * grid.tileCount + record.tile] === 1;
}

type Maker = (fight: Fight, record: LogRecord) => FightEvent;

const MAKERS: Readonly<Record<number, Maker>> = {
  [LOG_SHOUT]: shout,
  [LOG_REJECTED]: refusal,
  [LOG_ATTACK]: seenAttack,
  [LOG_HIT]: hit,
  [LOG_THROW]: thrown,
  [LOG_AREA_SPAWN]: areaSpawn,
  [LOG_AREA_EXPLODE]: areaExplode,
  [LOG_PICKUP]: pickup,
  [LOG_ZONE_DAMAGE]: zoneDamage,
  [LOG_PICKUP_SPAWN]: pickupSpawn,
  [LOG_DEATH]: death,
};

function whole(fight: Fight, record: LogRecord): FightEvent {
  return MAKERS[record.kind]!(fight, record);
}

function shout(fight: Fight, record: LogRecord): FightEvent {
  const { said } = fight.notes[record.by]!;
  return { type: "shout", by: by(record), text: said };
}

function refusal(_: Fight, record: LogRecord): FightEvent {
  const { type, ...reason } = ownRefusal(record);
  return { type, by: by(record), ...reason };
}

/** A refusal as told to the fighter it concerns. */
function ownRefusal(record: LogRecord): FightEvent & { type: "rejected" } {
  const part = TURN_PARTS[record.what]!;
  const reason = REFUSALS[record.value]!;
  const isShout = record.flag === 1;
  return { type: "rejected", part, reason, ...(isShout && { field: "shout" as const }) };
}

/** The cause of a refusal, from the fighter's notes of the tick. */
function causeOf({ notes }: Fight, { by, what, value }: LogRecord): { cause?: RefusalCause } {
  const { aim, gait, thrower } = notes[by]!;
  if (value === REFUSED_UNKNOWN_ATTACK) return aim === NONE ? {} : { cause: ATTACKS[aim]! };
  if (value !== REFUSED_BLOCKED || what === PART_ATTACK) return {};
  // It passed validation and was stopped later.
  if (gait === NONE) return { cause: "wall" };
  return { cause: thrower === NONE ? "fighter" : "thrown" };
}

function heardAttack(record: LogRecord): FightEvent & { type: "attack" } {
  return { type: "attack", by: by(record), name: attackName(record) };
}

function seenAttack(fight: Fight, record: LogRecord): FightEvent {
  const target = targetOf(fight.grid, record);
  return { ...heardAttack(record), ...spot(fight, record), target };
}

function targetOf(grid: Grid, { what, aim }: LogRecord): Target | null {
  const form = ATTACK_TARGETS[what];
  if (form === "none") return null;
  return form === "tile" ? [grid.x[aim]!, grid.y[aim]!] : DIRECTIONS[aim]!;
}

function hit(fight: Fight, record: LogRecord): FightEvent {
  const ricochet = record.flag === 1;
  return {
    type: "hit",
    by: by(record),
    target: target(record),
    name: DAMAGE_SOURCES[record.what] as AttackName | "wall_slam" | "collision",
    damage: record.value,
    ...(ricochet && { ricochet }),
    ...spot(fight, record),
  };
}

function thrown(fight: Fight, record: LogRecord): FightEvent {
  const names = { by: by(record), target: target(record) };
  const direction = DIRECTIONS[record.aim]!;
  const tiles = record.value;
  const end = spot(fight, record);
  if (record.what !== REPULSE) {
    return { type: "pull", ...names, direction, tiles, ...end };
  }
  const slam = record.flag === 1;
  return { type: "repulse", ...names, direction, tiles, slam, ...end };
}

function areaSpawn(fight: Fight, record: LogRecord): FightEvent {
  const name = attackName(record) as AreaName;
  const isBlast = record.what === BLAST;
  return {
    type: "area_spawn",
    by: by(record),
    name,
    ...spot(fight, record),
    radius: RULES.attacks[name].radius,
    damage: record.value,
    ...(isBlast ? { in: BLAST_RULES.fuse } : { left: SCORCH_RULES.burns }),
  };
}

function areaExplode(fight: Fight, record: LogRecord): FightEvent {
  const { radius } = BLAST_RULES;
  const center = spot(fight, record);
  return { type: "area_explode", by: by(record), name: "blast", ...center, radius };
}

function pickup(_: Fight, record: LogRecord): FightEvent {
  const kind = PICKUPS[record.what]!;
  const taken = { type: "pickup" as const, by: by(record), kind };
  return kind === "health" ? { ...taken, healed: record.value } : taken;
}

function zoneDamage(fight: Fight, record: LogRecord): FightEvent {
  const damage = record.value;
  return { type: "zone_damage", target: target(record), damage, ...spot(fight, record) };
}

function pickupSpawn(fight: Fight, record: LogRecord): FightEvent {
  const kind = PICKUPS[record.what]!;
  const ticks = record.value;
  return { type: "pickup_spawn", kind, ...spot(fight, record), in: ticks };
}

function death(fight: Fight, record: LogRecord): FightEvent {
  return { type: "death", target: target(record), ...spot(fight, record) };
}

function by(record: LogRecord): FighterId {
  return FIGHTER_IDS[record.by]!;
}

function target(record: LogRecord): FighterId {
  return FIGHTER_IDS[record.target]!;
}

function attackName(record: LogRecord): AttackName {
  return ATTACKS[record.what]!;
}

function spot({ grid }: Fight, { tile }: LogRecord): { x: number; y: number } {
  return { x: grid.x[tile]!, y: grid.y[tile]! };
}
