// The keyboard of a fight: left hand steps, right hand aims, digits attack.
import type { AttackName, Direction } from "#core/engine/types.ts";

import { attackAt, offsetOf } from "./choice.ts";

/** By the place of a key, whatever is printed on it. */
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

export type KeyMeaning =
  | { does: "step"; direction: Direction }
  | { does: "aim"; direction: Direction }
  | { does: "follow" }
  | { does: "attack"; name: AttackName }
  | { does: "dash" };

/** What a key does in a fight, by `KeyboardEvent.code`; null for one that is not used. */
export function keyOf(code: string): KeyMeaning | null {
  const step = STEP_KEYS[code];
  if (step !== undefined) return { does: "step", direction: step };
  const aim = AIM_KEYS[code];
  if (aim !== undefined) return { does: "aim", direction: aim };
  if (code === "KeyH") return { does: "follow" };
  if (code === "ShiftLeft" || code === "ShiftRight") return { does: "dash" };
  const [, digit] = /^Digit([1-6])$/.exec(code) ?? [];
  const name = digit === undefined ? null : attackAt(Number(digit));
  return name === null ? null : { does: "attack", name };
}

/** Where keys that are held together lead; null if they cancel out. */
export function joined(held: Iterable<Direction>): Direction | null {
  let [x, y] = [0, 0];
  for (const direction of held) {
    const [dx, dy] = offsetOf(direction);
    x += dx;
    y += dy;
  }
  const name = `${y < 0 ? "n" : y > 0 ? "s" : ""}${x < 0 ? "w" : x > 0 ? "e" : ""}`;
  return name === "" ? null : (name as Direction);
}
