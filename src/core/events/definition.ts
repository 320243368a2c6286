// What is wrong with the definition of an event that has the right shape.

import { isVersionLabel } from "#core/ladder/label.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { isWindow, isWithin } from "#core/ladder/window.ts";
import type { PlacedFault } from "#core/protocol/faults.ts";

import type { Achievement, EventDefinition } from "./event.ts";

type Conditions = readonly Achievement[];

/** Two achievements of one id. */
export function doubledFaults(conditions: Conditions): PlacedFault[] {
  return conditions.flatMap(({ id }, at) => {
    const isTaken = conditions.findIndex((one) => one.id === id) < at;
    return isTaken
      ? [{ path: `conditions[${at}].id`, problem: "is the id of another achievement too" }]
      : [];
  });
}

/** Conditions that nobody can meet on the ladder. */
export function mapFaults(
  conditions: Conditions,
  { maps }: Pick<LadderDefinition, "maps">,
): PlacedFault[] {
  const problem = `is more than the ladder has: ${maps.length}`;
  return conditions.flatMap(({ condition }, at) => {
    const most = "maps" in condition ? (condition.maps ?? 1) : 1;
    return most > maps.length ? [{ path: `conditions[${at}].condition.maps`, problem }] : [];
  });
}

export function approvedFaults({ approved }: Pick<EventDefinition, "approved">): PlacedFault[] {
  const wrong = Object.entries(approved).filter(([, label]) => !isVersionLabel(label));
  return wrong.map(([kind]) => ({ path: `approved.${kind}`, problem: "is no version label" }));
}

/** Whether the window of an event closes after it opens, and lies within that of its ladder. */
export const fitsLadder = (
  window: Pick<EventDefinition, "opensAt" | "closesAt">,
  ladder: Pick<LadderDefinition, "opensAt" | "closesAt">,
): boolean => isWindow(window) && isWithin(window, ladder);

const ZONE_NAME = /^[A-Za-z]/;

/** Whether this is an IANA time zone name in its exact spelling, which strict readers require. */
export function isTimezone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name;
  } catch {
    return false;
  }
}
