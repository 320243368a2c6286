// What goes wrong in a run, and when. Drawn before time begins, and over before the final calm.

import { HOUR } from "#base/units/time.ts";

import type { SeededDice } from "./dice.ts";
import type { FaultKind } from "./options.ts";

export type PlannedFault = {
  fault: FaultKind;
  /** µs since time began. */
  at: number;
  /** How long it lasts; for a kill, until the server is up again. */
  forMs: number;
};

const HOURS_A_DAY = 24;

type Course = {
  /** Mean hours from one to the next. */
  everyHours: number;
  /** Least and most milliseconds. */
  lastsMs: readonly [least: number, most: number];
  /** Most occurrences in a run. */
  most?: number;
};

const COURSES: Record<FaultKind, Course> = {
  cut: { everyHours: 1, lastsMs: [0, 0] },
  half_open: { everyHours: 3, lastsMs: [0, 0] },
  lag: { everyHours: 4, lastsMs: [60_000, 1_200_000] },
  store_unavailable: { everyHours: 6, lastsMs: [500, 240_000] },
  store_full: { everyHours: 9, lastsMs: [500, 240_000] },
  store_slow: { everyHours: 6, lastsMs: [30_000, 600_000] },
  disk: { everyHours: 30, lastsMs: [1000, 5000] },
  stall: { everyHours: 3, lastsMs: [300, 90_000] },
  kill: { everyHours: 8, lastsMs: [300, 60_000] },
  clock_ahead: { everyHours: 40, lastsMs: [0, 0], most: 1 },
  clock_back: { everyHours: 20, lastsMs: [0, 0], most: 2 },
  ladder_disabled: { everyHours: 8, lastsMs: [30_000, 900_000] },
};

/** In order of time, all over before `end` (µs). A short run has as many as a whole day. */
export function drawFaults(
  dice: SeededDice,
  kinds: readonly FaultKind[],
  end: number,
): PlannedFault[] {
  return kinds
    .flatMap((fault) => drawCourse(dice.branch(fault), fault, end))
    .toSorted((one, other) => one.at - other.at);
}

function drawCourse(dice: SeededDice, fault: FaultKind, end: number): PlannedFault[] {
  const { everyHours, lastsMs, most = Infinity } = COURSES[fault];
  const every = everyHours * Math.min(HOUR, end / HOURS_A_DAY);
  const planned: PlannedFault[] = [];
  let at = 0;
  while (planned.length < most) {
    at += Math.ceil(dice.exponential(every));
    const forMs = Math.round(dice.between(...lastsMs));
    if (at + forMs * 1000 >= end) return planned;
    planned.push({ fault, at, forMs });
  }
  return planned;
}
