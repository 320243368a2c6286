import { assertDefined } from "#base/util/assert-defined.ts";

import { BOARD_LEGEND } from "./board.ts";
import { readPressedKeys, showScreen } from "./keys.ts";
import type { PressedKey } from "./keys.ts";
import { formatReplayStep } from "./replay-frames.ts";
import type { ReplayStep } from "./replay-frames.ts";

/** `typedDigits` is a partly typed tick number to jump to; null if no number is being typed. */
export type StepperPosition = { frame: number; typedDigits: string | null };

const KEY_HINTS = "n next  b back  j jump to a tick  < start  > end  q quit";
const MAX_DIGITS = 3;

/** Returns the position after a key; null to quit. */
export function handleStepperKey(
  position: StepperPosition,
  key: PressedKey,
  lastFrame: number,
): StepperPosition | null {
  if (position.typedDigits !== null)
    return handleJumpKey(position, position.typedDigits, key, lastFrame);
  const goTo = (frame: number): StepperPosition => ({
    frame: Math.min(lastFrame, Math.max(0, frame)),
    typedDigits: null,
  });
  switch (key) {
    case "q":
    case "escape":
      return null;
    case "n":
    case "right":
    case "space":
    case "return":
      return goTo(position.frame + 1);
    case "b":
    case "p":
    case "left":
      return goTo(position.frame - 1);
    case "<":
    case "home":
      return goTo(0);
    case ">":
    case "end":
      return goTo(lastFrame);
    case "j":
      return { ...position, typedDigits: "" };
    default:
      return position;
  }
}

function handleJumpKey(
  position: StepperPosition,
  typedDigits: string,
  key: PressedKey,
  lastFrame: number,
): StepperPosition {
  if (/^\d$/.test(key) && typedDigits.length < MAX_DIGITS)
    return { ...position, typedDigits: typedDigits + key };
  if (key === "backspace") return { ...position, typedDigits: typedDigits.slice(0, -1) };
  if (key !== "return") return { ...position, typedDigits: key === "escape" ? null : typedDigits };
  // Frame 0 is the initial state, so tick n leads to frame n + 1.
  const frame = typedDigits === "" ? position.frame : Math.min(lastFrame, Number(typedDigits) + 1);
  return { frame, typedDigits: null };
}

export async function runReplayStepper(
  frames: readonly ReplayStep[],
  names: readonly string[],
): Promise<void> {
  if (frames.length === 0) return;
  let position: StepperPosition | null = { frame: 0, typedDigits: null };
  const showPosition = ({ frame, typedDigits }: StepperPosition) => {
    const footer =
      typedDigits === null ? KEY_HINTS : `jump to tick ${typedDigits}_  (press Return)`;
    showScreen([
      ...formatReplayStep(assertDefined(frames[frame], "frame"), names),
      "",
      BOARD_LEGEND,
      footer,
    ]);
  };
  showPosition(position);
  for await (const key of readPressedKeys()) {
    position = handleStepperKey(position, key, frames.length - 1);
    if (position === null) return;
    showPosition(position);
  }
}
