import { NONE } from "./codes.ts";

/**
 * Notes of a tick for one fighter: intermediate results passed between phases, readable until the
 * next tick begins. Not part of the state.
 */
export type TickNotes = {
  /** HP at the start of the tick. */
  startHp: number;
  /** 1 if the fighter began the tick stunned. */
  stunned: number;
  /** PART_MOVE or PART_DASH if it passed validation, else NONE. */
  movePart: number;
  /** Direction of the move or dash. */
  heading: number;
  /** Remaining tiles of the move or dash. */
  stepsLeft: number;
  /** Tiles moved so far. */
  tilesMoved: number;
  /** The attack that passed validation, else NONE. */
  attack: number;
  /** Target of the attack, as in the intent. */
  aim: number;
  /** Bounces of the fighter's bolt until it hit or ended. */
  bounces: number;
  /** Damage to apply at the end of the tick. */
  pendingDamage: number;
  /** Text of the accepted shout. */
  shoutText: string;

  /** The seat whose push or pull takes effect; NONE if there is none or two cancel each other. */
  thrower: number;
  /** REPULSE for a push, HOOK for a pull. */
  throwAttack: number;
  throwHeading: number;
  /** Tiles of the longest push or pull. */
  throwLength: number;
  /** Remaining tiles of the flight. */
  throwTilesLeft: number;
  /** Tiles flown so far. */
  tilesThrown: number;
  /** 1 if the push ended in a wall slam. */
  hitWall: number;

  /** The tile the fighter tries to enter in this sub-step, or NONE. */
  targetTile: number;
  /** Bit set of the seats that blocked it in this sub-step. */
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

/** Clears values of the last tick that would be read before they're written. */
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
