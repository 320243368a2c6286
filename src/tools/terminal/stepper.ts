// Reading a replay by keys: which frame a key leads to, and the loop that shows it.

import { sure } from "#base/units/sure.ts";

import { LEGEND } from "./board.ts";
import { printFrame } from "./frames.ts";
import type { StepFrame } from "./frames.ts";
import { readKeys, showScreen } from "./keys.ts";
import type { Key } from "./keys.ts";

/**
 * Where the reader is; `typed` are the digits of a tick to jump to, or null if none is being typed.
 */
export type Place = { frame: number; typed: string | null };

const HELP = "n next  b back  j jump to a tick  < start  > end  q quit";
const MOST_DIGITS = 3;

/** The place after a key, or null to leave. `last` is the number of the last frame. */
export function afterKey(place: Place, key: Key, last: number): Place | null {
  if (place.typed !== null) return afterDigit(place, place.typed, key, last);
  const to = (frame: number): Place => ({
    frame: Math.min(last, Math.max(0, frame)),
    typed: null,
  });
  switch (key) {
    case "q":
    case "escape":
      return null;
    case "n":
    case "right":
    case "space":
    case "return":
      return to(place.frame + 1);
    case "b":
    case "p":
    case "left":
      return to(place.frame - 1);
    case "<":
    case "home":
      return to(0);
    case ">":
    case "end":
      return to(last);
    case "j":
      return { ...place, typed: "" };
    default:
      return place;
  }
}

function afterDigit(place: Place, typed: string, key: Key, last: number): Place {
  if (/^\d$/.test(key) && typed.length < MOST_DIGITS) return { ...place, typed: typed + key };
  if (key === "backspace") return { ...place, typed: typed.slice(0, -1) };
  if (key !== "return") return { ...place, typed: key === "escape" ? null : typed };
  // Frame 0 is the start: tick n led to frame n + 1.
  const frame = typed === "" ? place.frame : Math.min(last, Number(typed) + 1);
  return { frame, typed: null };
}

/** Shows frames until the reader leaves. */
export async function stepThrough(
  frames: readonly StepFrame[],
  names: readonly string[],
): Promise<void> {
  if (frames.length === 0) return;
  let place: Place | null = { frame: 0, typed: null };
  const show = ({ frame, typed }: Place) => {
    const footer = typed === null ? HELP : `jump to tick ${typed}_  (return to go)`;
    showScreen([...printFrame(sure(frames[frame], "frame"), names), "", LEGEND, footer]);
  };
  show(place);
  for await (const key of readKeys()) {
    place = afterKey(place, key, frames.length - 1);
    if (place === null) return;
    show(place);
  }
}
