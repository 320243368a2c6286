import { NONE } from "./integer-codes.ts";

/**
 * Intermediate results of a tick for one fighter. Phases use them to pass data to later phases, and
 * they stay readable until the next tick. Not part of the state.
 */
export type TickNotes = {
  startHp: number;
  stunned: number;
  /** PART_MOVE or PART_DASH if the part passed validation, else NONE. */
  movePart: number;
  heading: number;
  stepsLeft: number;
  tilesMoved: number;
  attack: number;
  aim: number;
  bounces: number;
  pendingDamage: number;
  shoutText: string;

  /** Seat whose push or pull takes effect. NONE without a push or pull, or if two cancel out. */
  thrower: number;
  /** REPULSE for a push, HOOK for a pull. */
  throwAttack: number;
  throwHeading: number;
  throwLength: number;
  throwTilesLeft: number;
  tilesThrown: number;
  hitWall: number;

  /** Tile that the fighter tries to enter in this sub-step, or NONE. */
  targetTile: number;
  /** Bit set of the seats that block the fighter in this sub-step. */
  blockers: number;
};

export function createTickNotes(): TickNotes {
  return {
    startHp: 0,
    stunned: 0,
    movePart: NONE,
    heading: NONE,
    stepsLeft: 0,
    tilesMoved: 0,
    attack: NONE,
    aim: NONE,
    bounces: 0,
    pendingDamage: 0,
    shoutText: "",
    thrower: NONE,
    throwAttack: NONE,
    throwHeading: NONE,
    throwLength: 0,
    throwTilesLeft: 0,
    tilesThrown: 0,
    hitWall: 0,
    targetTile: NONE,
    blockers: 0,
  };
}

/** Clears the values that phases read before writing. */
export function resetTickNotes(notes: TickNotes, hp: number): void {
  notes.startHp = hp;
  notes.stunned = 0;
  notes.movePart = NONE;
  notes.stepsLeft = 0;
  notes.tilesMoved = 0;
  notes.attack = NONE;
  notes.bounces = 0;
  notes.pendingDamage = 0;
  notes.thrower = NONE;
  notes.throwLength = 0;
  notes.throwTilesLeft = 0;
  notes.tilesThrown = 0;
  notes.hitWall = 0;
}
