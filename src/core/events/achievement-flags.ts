// A flag is text shown to players who earn an achievement. Operators set flags in environment
// variables or a file. Flags are never stored in the database.

import type { EventId } from "#core/ids/ids.ts";

import type { EventDefinition } from "./event.ts";

export const FLAG_PREFIX = "BOUT_FLAG_";

const toVariablePart = (slug: string): string => slug.toUpperCase().replaceAll("-", "_");

export const flagVariable = (eventId: EventId, achievementId: string): string =>
  `${FLAG_PREFIX}${toVariablePart(eventId)}__${toVariablePart(achievementId)}`;

type FlaggedEvent = Pick<EventDefinition, "id"> & { achievements: readonly { id: string }[] };

/**
 * Returns variables that two achievements share. This can happen if ids contain consecutive dashes.
 */
export function conflictingVariables(events: readonly FlaggedEvent[]): string[] {
  const variables = events.flatMap(({ id, achievements }) =>
    achievements.map((achievement) => flagVariable(id, achievement.id)),
  );
  return [...new Set(variables.filter((name, index) => variables.indexOf(name) !== index))];
}

export type Flags = {
  /** Returns null if the flag isn't set. */
  get(event: Pick<EventDefinition, "id" | "flagMode">, achievementId: string): string | null;
};

export const missingFlags = (
  flags: Flags,
  event: FlaggedEvent & Pick<EventDefinition, "flagMode">,
) => event.achievements.map(({ id }) => id).filter((id) => flags.get(event, id) === null);
