import { NONE } from "./codes.ts";
import type { Fight } from "./fight.ts";

/**
 * Determines for one sub-step who is stopped by whom, from the tiles that fighters want and stand
 * on. A fighter without stoppers may enter the tile it wants.
 */
export function findStoppers(fight: Fight): void {
  if (!isContested(fight)) return;
  stopRivals(fight);
  stopSwaps(fight);
  while (stopFollowers(fight));
}

/** Whether anybody could be stopped. Rarely true, and cheaper to check than to resolve. */
function isContested({ seats, tile, notes }: Fight): boolean {
  for (let seat = 1; seat < seats; seat += 1) {
    const { want } = notes[seat]!;
    for (let other = 0; other < seat; other += 1) {
      const otherWant = notes[other]!.want;
      if (want === otherWant || want === tile[other] || otherWant === tile[seat]) return true;
    }
  }
  return false;
}

/** All fighters that want the same tile stop. */
function stopRivals({ seats, notes }: Fight): void {
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    for (let other = 0; other < seat; other += 1) {
      if (note.want === NONE || notes[other]!.want !== note.want) continue;
      note.stoppers |= 1 << other;
      notes[other]!.stoppers |= 1 << seat;
    }
  }
}

/** Two fighters that want each other's tiles both stop. */
function stopSwaps({ seats, tile, notes }: Fight): void {
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    for (let other = 0; other < seat; other += 1) {
      if (note.want !== tile[other] || notes[other]!.want !== tile[seat]) continue;
      note.stoppers ||= 1 << other;
      notes[other]!.stoppers ||= 1 << seat;
    }
  }
}

/**
 * A fighter stops if it wants the tile of one that does not leave. Returns true if anybody stopped.
 */
function stopFollowers({ seats, tile, alive, notes }: Fight): boolean {
  let hasStopped = false;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    if (note.want === NONE || note.stoppers !== 0) continue;
    for (let other = 0; other < seats; other += 1) {
      if (tile[other] !== note.want || alive[other] === 0) continue;
      if (notes[other]!.want !== NONE && notes[other]!.stoppers === 0) continue;
      note.stoppers |= 1 << other;
      hasStopped = true;
    }
  }
  return hasStopped;
}
