// The left hand steps, the right hand aims, and digits attack.
import type { AttackName, Direction } from "#core/engine/types.ts";

import { attackAt, offsetOf } from "./turn-choice.ts";

/** Codes are physical keys, so positions are the same on every keyboard layout. */
const STEP_KEYS: Readonly<Record<string, Direction>> = {
  KeyQ: "nw",
  KeyW: "n",
  KeyE: "ne",
  KeyA: "w",
  KeyD: "e",
  KeyZ: "sw",
  KeyS: "s",
  KeyX: "s",
  KeyC: "se",
  ArrowUp: "n",
  ArrowLeft: "w",
  ArrowRight: "e",
  ArrowDown: "s",
  Numpad7: "nw",
  Numpad8: "n",
  Numpad9: "ne",
  Numpad4: "w",
  Numpad6: "e",
  Numpad1: "sw",
  Numpad2: "s",
  Numpad3: "se",
};

const AIM_KEYS: Readonly<Record<string, Direction>> = {
  KeyU: "nw",
  KeyI: "n",
  KeyO: "ne",
  KeyJ: "w",
  KeyL: "e",
  KeyM: "sw",
  KeyK: "s",
  Period: "se",
};

export type KeyAction =
  | { type: "step"; direction: Direction }
  | { type: "aim"; direction: Direction }
  | { type: "follow" }
  | { type: "attack"; name: AttackName }
  | { type: "dash" };

/** Returns the action for a `KeyboardEvent.code`, or null if the key is unused. */
export function actionForKey(code: string): KeyAction | null {
  const step = STEP_KEYS[code];
  if (step !== undefined) return { type: "step", direction: step };
  const aim = AIM_KEYS[code];
  if (aim !== undefined) return { type: "aim", direction: aim };
  if (code === "KeyH") return { type: "follow" };
  if (code === "ShiftLeft" || code === "ShiftRight") return { type: "dash" };
  const [, digit] = /^Digit([1-6])$/.exec(code) ?? [];
  const name = digit === undefined ? null : attackAt(Number(digit));
  return name === null ? null : { type: "attack", name };
}

/** Combines the held directions. Returns null if they cancel out. */
export function combinedDirection(heldDirections: Iterable<Direction>): Direction | null {
  let [x, y] = [0, 0];
  for (const direction of heldDirections) {
    const [dx, dy] = offsetOf(direction);
    x += dx;
    y += dy;
  }
  const name = `${y < 0 ? "n" : y > 0 ? "s" : ""}${x < 0 ? "w" : x > 0 ? "e" : ""}`;
  return name === "" ? null : (name as Direction);
}
