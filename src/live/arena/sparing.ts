// A warning that one fault may repeat many times a second must not fill the disk with its lines.

import type { Clock } from "#base/clock/clock.ts";
import { MINUTE } from "#base/units/time.ts";

import type { Log } from "./deps.ts";

const WINDOW = MINUTE;
const MOST_IN_WINDOW = 20;

/** Warns up to 20 times a minute; the next one that is let through says how many were left out. */
export function sparing({ clock, log }: { clock: Pick<Clock, "now">; log: Log }): Log["warn"] {
  let since = -Infinity;
  let said = 0;
  let leftOut = 0;
  return (fields, text) => {
    const now = clock.now();
    if (now - since >= WINDOW) {
      since = now;
      said = 0;
    }
    if (said === MOST_IN_WINDOW) {
      leftOut += 1;
      return;
    }
    said += 1;
    log.warn(leftOut === 0 ? fields : { ...fields, left_out: leftOut }, text);
    leftOut = 0;
  };
}
