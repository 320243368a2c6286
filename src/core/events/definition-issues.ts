// Checks of an event definition that its schema can't express.

import { isValidWindow, isWindowWithin } from "#core/ladder/ladder-window.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { isVersionLabel } from "#core/ladder/version-label.ts";
import type { ValidationIssue } from "#core/protocol/validation-issues.ts";

import type { Achievement, EventDefinition } from "./event.ts";

type Conditions = readonly Achievement[];

export function duplicateIdIssues(conditions: Conditions): ValidationIssue[] {
  return conditions.flatMap(({ id }, index) => {
    const isDuplicate = conditions.findIndex((achievement) => achievement.id === id) < index;
    return isDuplicate
      ? [{ path: `conditions[${index}].id`, problem: "is already the id of another achievement" }]
      : [];
  });
}

/** Returns an issue for each condition that requires more maps than the ladder has. */
export function mapCountIssues(
  conditions: Conditions,
  { maps }: Pick<LadderDefinition, "maps">,
): ValidationIssue[] {
  const problem = `must not exceed the number of maps on the ladder: ${maps.length}`;
  return conditions.flatMap(({ condition }, index) => {
    const requiredMaps = "maps" in condition ? (condition.maps ?? 1) : 1;
    return requiredMaps > maps.length
      ? [{ path: `conditions[${index}].condition.maps`, problem }]
      : [];
  });
}

export function approvedVersionIssues({
  approved,
}: Pick<EventDefinition, "approved">): ValidationIssue[] {
  const invalidEntries = Object.entries(approved).filter(([, label]) => !isVersionLabel(label));
  return invalidEntries.map(([kind]) => ({
    path: `approved.${kind}`,
    problem: "is not a valid version label",
  }));
}

/** Returns whether an event closes after it opens and lies within its ladder's window. */
export const isWithinLadderWindow = (
  window: Pick<EventDefinition, "opensAt" | "closesAt">,
  ladder: Pick<LadderDefinition, "opensAt" | "closesAt">,
): boolean => isValidWindow(window) && isWindowWithin(window, ladder);

const TIME_ZONE_START = /^[A-Za-z]/;

/**
 * Returns whether this is an IANA time zone name in its exact spelling. Strict parsers reject other
 * spellings.
 */
export function isTimeZoneName(name: string): boolean {
  if (!TIME_ZONE_START.test(name)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId === name;
  } catch {
    return false;
  }
}
