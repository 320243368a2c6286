import { recordHit, withPowerBuff } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { placeOnTile } from "./fight.ts";
import { COLLISION, DIRECTION_COUNT, NONE, REPULSE, WALL_SLAM } from "./integer-codes.ts";
import { logThrow } from "./log.ts";
import { findBlockers } from "./movement-blockers.ts";
import { RULES } from "./rules.ts";

// One more than the stun in the rules, because the timers also count down in the tick of the slam.
const SLAM_STUN = RULES.wall_slam.stun + 1;

/** Phase 3: moves pushed and pulled fighters one tile at a time until all have stopped. */
export function resolveForcedMovement(fight: Fight): void {
  if (!isAnyThrown(fight)) return;
  while (moveThrownOneTile(fight));
  logThrows(fight);
}

function isAnyThrown({ seats, notes }: Fight): boolean {
  for (let seat = 0; seat < seats; seat += 1) {
    if (notes[seat]!.thrower !== NONE) return true;
  }
  return false;
}

function moveThrownOneTile(fight: Fight): boolean {
  const { seats, notes } = fight;
  let isAnyFlying = false;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    note.blockers = 0;
    note.targetTile = note.throwTilesLeft > 0 ? nextTile(fight, seat) : NONE;
    isAnyFlying ||= note.targetTile !== NONE;
  }
  if (!isAnyFlying) return false;
  findBlockers(fight);
  for (let seat = 0; seat < seats; seat += 1) {
    if (notes[seat]!.targetTile !== NONE) landOnTile(fight, seat);
  }
  return true;
}

function nextTile(fight: Fight, seat: number): number {
  const { grid, tile } = fight;
  const note = fight.notes[seat]!;
  const next = grid.step[tile[seat]! * DIRECTION_COUNT + note.throwHeading]!;
  if (next !== NONE) return next;
  note.throwTilesLeft = 0;
  if (note.throwAttack === REPULSE) slamIntoWall(fight, seat);
  return NONE;
}

function slamIntoWall(fight: Fight, seat: number): void {
  const note = fight.notes[seat]!;
  note.hitWall = 1;
  fight.stun[seat] = SLAM_STUN;
  recordHit(
    fight,
    note.thrower,
    seat,
    WALL_SLAM,
    withPowerBuff(fight, note.thrower, RULES.wall_slam.damage),
  );
}

function landOnTile(fight: Fight, seat: number): void {
  const note = fight.notes[seat]!;
  if (note.blockers === 0) {
    placeOnTile(fight, seat, note.targetTile);
    note.tilesThrown += 1;
    note.throwTilesLeft -= 1;
  } else {
    note.throwTilesLeft = 0;
    collide(fight, seat);
  }
}

/**
 * A collision hurts the thrown fighter and the fighters it hits, but never the thrower. A pull that
 * ends at the puller hurts neither.
 */
function collide(fight: Fight, seat: number): void {
  const { thrower, throwAttack, blockers } = fight.notes[seat]!;
  const otherBlockers = blockers & ~(1 << thrower);
  if (otherBlockers === 0 && throwAttack !== REPULSE) return;
  recordHit(fight, thrower, seat, COLLISION, RULES.collision.damage);
  for (let otherSeat = 0; otherSeat < fight.seats; otherSeat += 1) {
    const isBlocker = (otherBlockers & (1 << otherSeat)) !== 0;
    if (isBlocker) recordHit(fight, thrower, otherSeat, COLLISION, RULES.collision.damage);
  }
}

function logThrows({ seats, tile, notes, log }: Fight): void {
  for (let seat = 0; seat < seats; seat += 1) {
    const { thrower, throwAttack, throwHeading, tilesThrown, hitWall } = notes[seat]!;
    if (thrower === NONE) continue;
    logThrow(log, thrower, seat, throwAttack, tilesThrown, tile[seat]!, throwHeading, hitWall);
  }
}
