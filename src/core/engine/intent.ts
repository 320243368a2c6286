import { NONE } from "./codes.ts";

export const NO_SHOUT = 0;
export const SHOUT = 1;
/** A shout that is empty or too long. */
export const BAD_SHOUT = 2;

/** What a fighter wants to do in the next tick. Each part is NONE if there is none. */
export type Intent = {
  /** Direction. */
  move: number;
  /** Direction. */
  dash: number;
  /** Attack, or UNKNOWN_ATTACK. */
  attack: number;
  /**
   * A direction or a tile, whichever the attack takes. A tile off the map is tile 0, which is
   * always wall. For UNKNOWN_ATTACK: the attack whose target has the wrong form, or NONE if the
   * name is unknown.
   */
  aim: number;
  /** NO_SHOUT, SHOUT or BAD_SHOUT. */
  shout: number;
  text: string;
};

export function newIntent(): Intent {
  return { move: NONE, dash: NONE, attack: NONE, aim: NONE, shout: NO_SHOUT, text: "" };
}

/** Makes the fighter idle in the next tick. */
export function clearIntent(intent: Intent): void {
  intent.move = NONE;
  intent.dash = NONE;
  intent.attack = NONE;
  intent.shout = NO_SHOUT;
}
