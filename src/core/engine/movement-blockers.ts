import type { Fight } from "./fight.ts";
import { NONE } from "./integer-codes.ts";

/**
 * Finds the fighters that block each other in one sub-step, from their current and target tiles. A
 * fighter without blockers may enter its target tile.
 */
export function findBlockers(fight: Fight): void {
  if (!canAnyBlock(fight)) return;
  blockRivals(fight);
  blockSwaps(fight);
  while (blockFollowers(fight));
}

/**
 * Returns whether any fighter could be blocked. Usually false, which skips the more expensive
 * checks.
 */
function canAnyBlock({ seats, tile, notes }: Fight): boolean {
  for (let seat = 1; seat < seats; seat += 1) {
    const { targetTile } = notes[seat]!;
    for (let otherSeat = 0; otherSeat < seat; otherSeat += 1) {
      const otherTarget = notes[otherSeat]!.targetTile;
      if (
        targetTile === otherTarget ||
        targetTile === tile[otherSeat] ||
        otherTarget === tile[seat]
      )
        return true;
    }
  }
  return false;
}

function blockRivals({ seats, notes }: Fight): void {
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    for (let otherSeat = 0; otherSeat < seat; otherSeat += 1) {
      if (note.targetTile === NONE || notes[otherSeat]!.targetTile !== note.targetTile) continue;
      note.blockers |= 1 << otherSeat;
      notes[otherSeat]!.blockers |= 1 << seat;
    }
  }
}

function blockSwaps({ seats, tile, notes }: Fight): void {
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    for (let otherSeat = 0; otherSeat < seat; otherSeat += 1) {
      if (note.targetTile !== tile[otherSeat] || notes[otherSeat]!.targetTile !== tile[seat])
        continue;
      note.blockers ||= 1 << otherSeat;
      notes[otherSeat]!.blockers ||= 1 << seat;
    }
  }
}

/**
 * A fighter stops if the fighter on its target tile doesn't leave. Returns whether another fighter
 * stopped.
 */
function blockFollowers({ seats, tile, alive, notes }: Fight): boolean {
  let hasBlocked = false;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    if (note.targetTile === NONE || note.blockers !== 0) continue;
    for (let otherSeat = 0; otherSeat < seats; otherSeat += 1) {
      if (tile[otherSeat] !== note.targetTile || alive[otherSeat] === 0) continue;
      if (notes[otherSeat]!.targetTile !== NONE && notes[otherSeat]!.blockers === 0) continue;
      note.blockers |= 1 << otherSeat;
      hasBlocked = true;
    }
  }
  return hasBlocked;
}
