import { COLLISION, DIRECTION_COUNT, NONE, PART_DASH, REFUSED_BLOCKED } from "./codes.ts";
import { hit } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { place } from "./fight.ts";
import { logRejected } from "./log.ts";
import { RULES } from "./rules.ts";
import { findStoppers } from "./wants.ts";

/** Phase 4: moves and dashes make their first tile together, then dashes continue alone. */
export function movement(fight: Fight): void {
  if (!startGaits(fight)) return;
  while (stepOnce(fight));
}

/** A thrown fighter loses its move or dash. Returns false when nobody is moving. */
function startGaits({ seats, notes, log }: Fight): boolean {
  let anyGoing = false;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    if (note.gait === NONE) continue;
    if (note.thrower !== NONE) {
      logRejected(log, seat, note.gait, REFUSED_BLOCKED);
      continue;
    }
    note.stepsLeft = note.gait === PART_DASH ? RULES.dash.tiles : 1;
    anyGoing = true;
  }
  return anyGoing;
}

/** Plays one sub-step. False when nobody has steps left. */
function stepOnce(fight: Fight): boolean {
  const { seats, notes } = fight;
  for (let seat = 0; seat < seats; seat += 1) {
    const note = notes[seat]!;
    note.stoppers = 0;
    note.want = note.stepsLeft > 0 ? nextTile(fight, seat) : NONE;
  }
  findStoppers(fight);
  let stepsLeft = 0;
  for (let seat = 0; seat < seats; seat += 1) {
    arrive(fight, seat);
    stepsLeft |= notes[seat]!.stepsLeft;
  }
  return stepsLeft !== 0;
}

/** The next tile of the path, or NONE where the map ends a dash without penalty. */
function nextTile({ grid, tile, notes }: Fight, seat: number): number {
  return grid.step[tile[seat]! * DIRECTION_COUNT + notes[seat]!.heading]!;
}

function arrive(fight: Fight, seat: number): void {
  const note = fight.notes[seat]!;
  if (note.want === NONE) {
    note.stepsLeft = 0;
  } else if (note.stoppers === 0) {
    place(fight, seat, note.want);
    note.travelled += 1;
    note.stepsLeft -= 1;
  } else {
    note.stepsLeft = 0;
    stop(fight, seat);
  }
}

/** A fighter is in the way. A dash rams everyone who stopped it. */
function stop(fight: Fight, seat: number): void {
  const { gait, stoppers, travelled } = fight.notes[seat]!;
  if (gait === PART_DASH) ram(fight, seat, stoppers);
  if (travelled === 0) logRejected(fight.log, seat, gait, REFUSED_BLOCKED);
}

function ram(fight: Fight, seat: number, stoppers: number): void {
  for (let other = 0; other < fight.seats; other += 1) {
    const isStopper = (stoppers & (1 << other)) !== 0;
    if (isStopper) hit(fight, seat, other, COLLISION, RULES.collision.damage);
  }
}
