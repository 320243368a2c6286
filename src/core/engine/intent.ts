import { NONE } from "./integer-codes.ts";

export const NO_SHOUT = 0;
export const SHOUT = 1;
export const BAD_SHOUT = 2;

/** A fighter's intent for the next tick. Absent parts are NONE. */
export type Intent = {
  move: number;
  dash: number;
  /** Code of an attack, UNKNOWN_ATTACK or NONE. */
  attack: number;
  /**
   * Direction or tile, depending on the attack. Targets off the map become tile 0, which is always
   * a wall. For UNKNOWN_ATTACK: the attack whose target has the wrong form, or NONE for an unknown
   * name.
   */
  aim: number;
  shout: number;
  text: string;
};

export function newIntent(): Intent {
  return { move: NONE, dash: NONE, attack: NONE, aim: NONE, shout: NO_SHOUT, text: "" };
}

export function clearIntent(intent: Intent): void {
  intent.move = NONE;
  intent.dash = NONE;
  intent.attack = NONE;
  intent.shout = NO_SHOUT;
}
