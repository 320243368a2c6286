import { COLLISION, DIRECTION_COUNT, NONE, REPULSE, WALL_SLAM } from "./codes.ts";
import { hit, powered } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { place } from "./fight.ts";
import { logThrow } from "./log.ts";
import { RULES } from "./rules.ts";
import { findStoppers } from "./wants.ts";

// The end of each tick takes one off a stun, including the tick of the slam.
const SLAM_STUN = RULES.wall_slam.stun + 1;

/** Phase 3: pushed and pulled fighters fly until every push and pull is used up. */
export function forcedMovement(fight: Fight): void {
  if (!isAnyThrown(fight)) return;
  while (flyOneTile(fight));
  reportThrows(fight);
}

function isAnyThrown({ seats, notes }: Fight): boolean {
  for (let seat = 0; seat < seats; seat += 1) {
    if (notes[seat]!.thrower !== NONE) return true;
  }
  return false;
}

/** Plays one sub-step. False when nobody is flying any more. */
function flyOneTile(fight: Fight): boolean {
  const { seats, notes } = fight;
  let anyFlying = false;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    note.stoppers = 0;
    note.want = note.throwLeft > 0 ? nextTile(fight, seat) : NONE;
    anyFlying ||= note.want !== NONE;
  }
  if (!anyFlying) return false;
  findStoppers(fight);
  for (let seat = 0; seat < seats; seat += 1) {
    if (notes[seat]!.want !== NONE) land(fight, seat);
  }
  return true;
}

/** The tile the fighter flies to, or NONE where the map stops it. */
function nextTile(fight: Fight, seat: number): number {
  const { grid, tile } = fight;
  const note = fight.notes[seat]!;
  const next = grid.step[tile[seat]! * DIRECTION_COUNT + note.throwHeading]!;
  if (next !== NONE) return next;
  note.throwLeft = 0;
  if (note.throwAttack === REPULSE) slam(fight, seat);
  return NONE;
}

function slam(fight: Fight, seat: number): void {
  const note = fight.notes[seat]!;
  note.slammed = 1;
  fight.stun[seat] = SLAM_STUN;
  hit(fight, note.thrower, seat, WALL_SLAM, powered(fight, note.thrower, RULES.wall_slam.damage));
}

function land(fight: Fight, seat: number): void {
  const note = fight.notes[seat]!;
  if (note.stoppers === 0) {
    place(fight, seat, note.want);
    note.thrown += 1;
    note.throwLeft -= 1;
  } else {
    note.throwLeft = 0;
    collide(fight, seat);
  }
}

/**
 * A flight ends when it meets a fighter. The thrower is never hurt, and being caught by the puller
 * costs nothing.
 */
function collide(fight: Fight, seat: number): void {
  const { thrower, throwAttack, stoppers } = fight.notes[seat]!;
  const others = stoppers & ~(1 << thrower);
  if (others === 0 && throwAttack !== REPULSE) return;
  hit(fight, thrower, seat, COLLISION, RULES.collision.damage);
  for (let other = 0; other < fight.seats; other += 1) {
    const isHurt = (others & (1 << other)) !== 0;
    if (isHurt) hit(fight, thrower, other, COLLISION, RULES.collision.damage);
  }
}

function reportThrows({ seats, tile, notes, log }: Fight): void {
  for (let seat = 0; seat < seats; seat += 1) {
    const { thrower, throwAttack, throwHeading, thrown, slammed } = notes[seat]!;
    if (thrower === NONE) continue;
    logThrow(log, thrower, seat, throwAttack, thrown, tile[seat]!, throwHeading, slammed);
  }
}
