import { NONE } from "./codes.ts";

export const NO_SHOUT = 0;
export const SHOUT = 1;
/** A shout that is empty or too long. */
export const BAD_SHOUT = 2;

/** A fighter's intent for the next tick. NONE for parts that are absent. */
export type Intent = {
  move: number;
  dash: number;
  /** Attack, or UNKNOWN_ATTACK. */
  attack: number;
  /**
   * A direction or a tile, depending on the attack. A tile off the map is tile 0, which is always
   * wall. For UNKNOWN_ATTACK: the attack whose target has the wrong form, or NONE if the name is
   * unknown.
   */
  aim: number;
  /** NO_SHOUT, SHOUT or BAD_SHOUT. */
  shout: number;
  text: string;
};

export function newIntent(): Intent {
  return { move: NONE, dash: NONE, attack: NONE, aim: NONE, shout: NO_SHOUT, text: "" };
}

/** Clears an intent, so that the fighter idles in the next tick. */
export function clearIntent(intent: Intent): void {
  intent.move = NONE;
  intent.dash = NONE;
  intent.attack = NONE;
  intent.shout = NO_SHOUT;
}
