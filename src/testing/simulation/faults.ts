// Draws all faults before the run starts. They end before the final calm.

import { HOUR_US } from "#base/util/time.ts";

import type { SeededDice } from "./dice.ts";
import type { FaultKind } from "./options.ts";

export type PlannedFault = {
  fault: FaultKind;
  /** µs since the start of the run. */
  at: number;
  /** For a kill, the time until the server is up again. */
  durationMs: number;
};

const HOURS_PER_DAY = 24;

type FaultSchedule = {
  meanIntervalHours: number;
  durationRangeMs: readonly [least: number, most: number];
  /** Per run. */
  maxCount?: number;
};

const FAULT_SCHEDULES: Record<FaultKind, FaultSchedule> = {
  cut: { meanIntervalHours: 1, durationRangeMs: [0, 0] },
  half_open: { meanIntervalHours: 3, durationRangeMs: [0, 0] },
  lag: { meanIntervalHours: 4, durationRangeMs: [60_000, 1_200_000] },
  store_unavailable: { meanIntervalHours: 6, durationRangeMs: [500, 240_000] },
  store_full: { meanIntervalHours: 9, durationRangeMs: [500, 240_000] },
  store_slow: { meanIntervalHours: 6, durationRangeMs: [30_000, 600_000] },
  disk: { meanIntervalHours: 30, durationRangeMs: [1000, 5000] },
  stall: { meanIntervalHours: 3, durationRangeMs: [300, 90_000] },
  kill: { meanIntervalHours: 8, durationRangeMs: [300, 60_000] },
  clock_ahead: { meanIntervalHours: 40, durationRangeMs: [0, 0], maxCount: 1 },
  clock_back: { meanIntervalHours: 20, durationRangeMs: [0, 0], maxCount: 2 },
  ladder_disabled: { meanIntervalHours: 8, durationRangeMs: [30_000, 900_000] },
};

/**
 * Returns faults in chronological order, all of which end before `end` (µs). Short runs include as
 * many faults as a full day.
 */
export function drawFaults(
  dice: SeededDice,
  kinds: readonly FaultKind[],
  end: number,
): PlannedFault[] {
  return kinds
    .flatMap((fault) => drawFaultsOfKind(dice.branch(fault), fault, end))
    .toSorted((a, b) => a.at - b.at);
}

function drawFaultsOfKind(dice: SeededDice, fault: FaultKind, end: number): PlannedFault[] {
  const { meanIntervalHours, durationRangeMs, maxCount = Infinity } = FAULT_SCHEDULES[fault];
  const meanInterval = meanIntervalHours * Math.min(HOUR_US, end / HOURS_PER_DAY);
  const plannedFaults: PlannedFault[] = [];
  let at = 0;
  while (plannedFaults.length < maxCount) {
    at += Math.ceil(dice.exponential(meanInterval));
    const durationMs = Math.round(dice.between(...durationRangeMs));
    if (at + durationMs * 1000 >= end) return plannedFaults;
    plannedFaults.push({ fault, at, durationMs });
  }
  return plannedFaults;
}
