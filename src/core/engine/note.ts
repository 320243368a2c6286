import { NONE } from "./codes.ts";

/**
 * Intermediate results of one tick for one fighter. The stages pass them on to each other, and they
 * stay readable until the next tick begins. They are not part of the state.
 */
export type Note = {
  /** hp at the start of the tick. */
  startHp: number;
  /** 1 if the fighter began the tick stunned. */
  stunned: number;
  /** PART_MOVE or PART_DASH if it passed validation, else NONE. */
  gait: number;
  /** Direction of the move or dash. */
  heading: number;
  /** Tiles that the move or dash may still make. */
  stepsLeft: number;
  /** Tiles that the move or dash has made. */
  travelled: number;
  /** The attack that passed validation, else NONE. */
  attack: number;
  /** The aim of the intended attack, as in its intent. */
  aim: number;
  /** Bounces of the fighter's bolt until it hit or ended. */
  bounces: number;
  /** Damage to be taken at the end of the tick. */
  pending: number;
  /** The text of the shout that was allowed. */
  said: string;

  /** The seat whose push or pull takes effect; NONE if there is none or two cancel each other. */
  thrower: number;
  /** REPULSE for a push, HOOK for a pull. */
  throwAttack: number;
  throwHeading: number;
  /** Tiles of the longest push or pull. */
  throwLength: number;
  /** Tiles that the fighter may still fly. */
  throwLeft: number;
  /** Tiles that the fighter has flown. */
  thrown: number;
  /** 1 if the push ended in a wall slam. */
  slammed: number;

  /** The tile the fighter wants to enter in this sub-step, or NONE. */
  want: number;
  /** Bit set of the seats that stopped it in this sub-step. */
  stoppers: number;
};

export function newNote(): Note {
  return {
    startHp: 0,
    stunned: 0,
    gait: NONE,
    heading: NONE,
    stepsLeft: 0,
    travelled: 0,
    attack: NONE,
    aim: NONE,
    bounces: 0,
    pending: 0,
    said: "",
    thrower: NONE,
    throwAttack: NONE,
    throwHeading: NONE,
    throwLength: 0,
    throwLeft: 0,
    thrown: 0,
    slammed: 0,
    want: NONE,
    stoppers: 0,
  };
}

/** Clears what is left of the last tick and would be read before it is written. */
export function openNote(note: Note, hp: number): void {
  note.startHp = hp;
  note.stunned = 0;
  note.gait = NONE;
  note.stepsLeft = 0;
  note.travelled = 0;
  note.attack = NONE;
  note.bounces = 0;
  note.pending = 0;
  note.thrower = NONE;
  note.throwLength = 0;
  note.throwLeft = 0;
  note.thrown = 0;
  note.slammed = 0;
}
