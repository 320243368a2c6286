import type { Fight } from "./fight.ts";
import { PART_DASH, PART_MOVE, SCORCH, WALL_SLAM, ZONE } from "./integer-codes.ts";
import type { LogRecord } from "./log.ts";
import {
  LOG_ATTACK,
  LOG_HIT,
  LOG_PICKUP,
  LOG_REJECTED,
  LOG_THROW,
  LOG_ZONE_DAMAGE,
} from "./log.ts";
import { RULES } from "./rules.ts";
import type { CombatStats, Refusal } from "./types.ts";
import { ATTACKS, DAMAGE_SOURCES, PICKUPS, REFUSALS, TURN_PARTS } from "./types.ts";

type FighterTally = {
  readonly stats: CombatStats;
  /** Bit set of attacks whose current use has already hit an opponent. */
  hits: number;
  readonly refusals: Set<Refusal>;
};

export type FightTally = readonly FighterTally[];

export function startTally(seats: number): FightTally {
  return Array.from({ length: seats }, () => ({
    stats: emptyStats(),
    hits: 0,
    refusals: new Set<Refusal>(),
  }));
}

/** Counts the last tick. Call this once after each `step`. */
export function tallyTick(tally: FightTally, fight: Fight): void {
  for (const fighter of tally) {
    // Only a scorch can hit again in later ticks of the same use.
    fighter.hits &= 1 << SCORCH;
    fighter.refusals.clear();
  }
  const { length, records } = fight.log;
  for (let i = 0; i < length; i += 1) tallyRecord(tally, records[i]!);
  for (let seat = 0; seat < fight.seats; seat += 1) tallyFighter(tally[seat]!, fight, seat);
}

export function combatStats(tally: FightTally, seat: number): CombatStats {
  return tally[seat]!.stats;
}

function tallyFighter({ stats, refusals }: FighterTally, fight: Fight, seat: number): void {
  const { stunned, bounces, movePart, tilesMoved } = fight.notes[seat]!;
  stats.hp = fight.hp[seat]!;
  stats.alive = fight.alive[seat] === 1;
  stats.stunned += stunned;
  stats.ricochets.bounces += bounces;
  if (movePart === PART_MOVE) stats.moves += tilesMoved;
  if (movePart === PART_DASH) {
    stats.dashes += 1;
    stats.dash_tiles += tilesMoved;
  }
  if (refusals.size > 0) stats.refused_turns += 1;
  for (const reason of refusals) incrementReason(stats.refused_turns_by_reason, reason);
}

function tallyRecord(tally: FightTally, record: LogRecord): void {
  switch (record.kind) {
    case LOG_REJECTED:
      return tallyRefusal(tally, record);
    case LOG_ATTACK:
      return tallyUse(tally, record);
    case LOG_HIT:
      return tallyHit(tally, record);
    case LOG_THROW:
      return tallyThrow(tally, record);
    case LOG_PICKUP:
      return tallyPickup(tally, record);
    case LOG_ZONE_DAMAGE:
      return tallyZoneDamage(tally, record);
    default:
      return undefined;
  }
}

function tallyRefusal(tally: FightTally, record: LogRecord): void {
  const { stats, refusals } = tally[record.by]!;
  const reason = REFUSALS[record.value]!;
  const part = TURN_PARTS[record.code];
  incrementReason(stats.rejected, reason);
  refusals.add(reason);
  if (part === "move" && reason === "blocked") stats.moves_blocked += 1;
}

function tallyUse(tally: FightTally, record: LogRecord): void {
  const attack = record.code;
  const fighter = tally[record.by]!;
  fighter.stats.weapons[ATTACKS[attack]!].uses += 1;
  fighter.hits &= ~(1 << attack);
}

function tallyHit(tally: FightTally, record: LogRecord): void {
  const by = record.by;
  const target = record.target;
  const source = record.code;
  const damage = record.value;
  tallyDamageTaken(tally[target]!, source, damage);
  if (by === target) return;
  tallyDamageDealt(tally[by]!, source, damage);
  if (source < ATTACKS.length) tallyWeapon(tally[by]!, source, damage);
  if (record.flag === 1) {
    const { ricochets } = tally[by]!.stats;
    ricochets.hits += 1;
    ricochets.damage += damage;
  }
}

function tallyDamageTaken({ stats }: FighterTally, source: number, damage: number): void {
  stats.damage_taken += damage;
  stats.taken_by_source[DAMAGE_SOURCES[source]!] += damage;
}

function tallyDamageDealt({ stats }: FighterTally, source: number, damage: number): void {
  stats.damage_dealt += damage;
  stats.dealt_by_source[DAMAGE_SOURCES[source]!] += damage;
  if (source === WALL_SLAM) stats.wall_slams += 1;
}

function tallyWeapon(fighter: FighterTally, attack: number, damage: number): void {
  const weapon = fighter.stats.weapons[ATTACKS[attack]!];
  weapon.damage += damage;
  if ((fighter.hits & (1 << attack)) === 0) weapon.hits += 1;
  fighter.hits |= 1 << attack;
}

function tallyThrow(tally: FightTally, record: LogRecord): void {
  tally[record.target]!.stats.knocked_back += 1;
}

function tallyPickup(tally: FightTally, record: LogRecord): void {
  const { stats } = tally[record.by]!;
  stats.pickups[PICKUPS[record.code]!] += 1;
  stats.healed += record.value;
}

function tallyZoneDamage(tally: FightTally, record: LogRecord): void {
  const fighter = tally[record.target]!;
  fighter.stats.zone_ticks += 1;
  tallyDamageTaken(fighter, ZONE, record.value);
}

function incrementReason<Reason extends string>(
  counts: Partial<Record<Reason, number>>,
  reason: Reason,
) {
  counts[reason] = (counts[reason] ?? 0) + 1;
}

function recordOf<Word extends string, T>(words: readonly Word[], start: () => T): Record<Word, T> {
  return Object.fromEntries(words.map((word) => [word, start()])) as Record<Word, T>;
}

function emptyStats(): CombatStats {
  const zero = (): number => 0;
  return {
    hp: RULES.hp,
    alive: true,
    moves: 0,
    moves_blocked: 0,
    dashes: 0,
    dash_tiles: 0,
    weapons: recordOf(ATTACKS, () => ({ uses: 0, hits: 0, damage: 0 })),
    ricochets: { bounces: 0, hits: 0, damage: 0 },
    pickups: recordOf(PICKUPS, zero),
    healed: 0,
    damage_dealt: 0,
    dealt_by_source: recordOf(DAMAGE_SOURCES, zero),
    damage_taken: 0,
    taken_by_source: recordOf(DAMAGE_SOURCES, zero),
    wall_slams: 0,
    knocked_back: 0,
    stunned: 0,
    zone_ticks: 0,
    rejected: {},
    refused_turns: 0,
    refused_turns_by_reason: {},
  };
}
