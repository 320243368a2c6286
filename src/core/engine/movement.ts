import { recordHit } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { placeOnTile } from "./fight.ts";
import { COLLISION, DIRECTION_COUNT, NONE, PART_DASH, REFUSED_BLOCKED } from "./integer-codes.ts";
import { logRejected } from "./log.ts";
import { findBlockers } from "./movement-blockers.ts";
import { RULES } from "./rules.ts";

/** Phase 4: all moving fighters make their first step simultaneously. Dashes then continue. */
export function resolveMovement(fight: Fight): void {
  if (!startMoves(fight)) return;
  while (moveOneTile(fight));
}

/** Starts moves and dashes. Thrown fighters lose theirs. Returns false if no fighter moves. */
function startMoves({ seats, notes, log }: Fight): boolean {
  let isAnyMoving = false;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    if (note.movePart === NONE) continue;
    if (note.thrower !== NONE) {
      logRejected(log, seat, note.movePart, REFUSED_BLOCKED);
      continue;
    }
    note.stepsLeft = note.movePart === PART_DASH ? RULES.dash.tiles : 1;
    isAnyMoving = true;
  }
  return isAnyMoving;
}

function moveOneTile(fight: Fight): boolean {
  const { seats, notes } = fight;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    note.blockers = 0;
    note.targetTile = note.stepsLeft > 0 ? nextTile(fight, seat) : NONE;
  }
  findBlockers(fight);
  let stepsLeft = 0;
  for (let seat = 0; seat < seats; seat += 1) {
    enterTile(fight, seat);
    stepsLeft |= notes[seat]!.stepsLeft;
  }
  return stepsLeft !== 0;
}

/**
 * Returns the next tile of the path, or NONE if terrain blocks the rest of a dash. A dash cut short
 * by terrain isn't penalized.
 */
function nextTile({ grid, tile, notes }: Fight, seat: number): number {
  return grid.step[tile[seat]! * DIRECTION_COUNT + notes[seat]!.heading]!;
}

function enterTile(fight: Fight, seat: number): void {
  const note = fight.notes[seat]!;
  if (note.targetTile === NONE) {
    note.stepsLeft = 0;
  } else if (note.blockers === 0) {
    placeOnTile(fight, seat, note.targetTile);
    note.tilesMoved += 1;
    note.stepsLeft -= 1;
  } else {
    note.stepsLeft = 0;
    stopFighter(fight, seat);
  }
}

function stopFighter(fight: Fight, seat: number): void {
  const { movePart, blockers, tilesMoved } = fight.notes[seat]!;
  if (movePart === PART_DASH) ramBlockers(fight, seat, blockers);
  if (tilesMoved === 0) logRejected(fight.log, seat, movePart, REFUSED_BLOCKED);
}

function ramBlockers(fight: Fight, seat: number, blockers: number): void {
  for (let otherSeat = 0; otherSeat < fight.seats; otherSeat += 1) {
    const isBlocker = (blockers & (1 << otherSeat)) !== 0;
    if (isBlocker) recordHit(fight, seat, otherSeat, COLLISION, RULES.collision.damage);
  }
}
