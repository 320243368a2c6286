// Flags are texts shown to players who earn an achievement. The operator provides them in
// environment variables or a file; they are never stored in the database.

import type { EventId } from "#core/ids/ids.ts";

import type { EventDefinition } from "./event.ts";

export const FLAG_PREFIX = "BOUT_FLAG_";

const toVariablePart = (slug: string): string => slug.toUpperCase().replaceAll("-", "_");

/** Returns the name of the environment variable for an achievement's flag. */
export const flagVariable = (eventId: EventId, achievementId: string): string =>
  `${FLAG_PREFIX}${toVariablePart(eventId)}__${toVariablePart(achievementId)}`;

/** The part of an event that flags depend on. */
type FlaggedEvent = Pick<EventDefinition, "id"> & { achievements: readonly { id: string }[] };

/** Returns variables shared by two achievements, which ids with consecutive dashes can cause. */
export function conflictingVariables(events: readonly FlaggedEvent[]): string[] {
  const variables = events.flatMap(({ id, achievements }) =>
    achievements.map((achievement) => flagVariable(id, achievement.id)),
  );
  return [...new Set(variables.filter((name, index) => variables.indexOf(name) !== index))];
}

/** The flags of a running server. */
export type Flags = {
  /** Null if not set. */
  get(event: Pick<EventDefinition, "id" | "flagMode">, achievementId: string): string | null;
};

/** Ids of the achievements without a flag. */
export const missingFlags = (
  flags: Flags,
  event: FlaggedEvent & Pick<EventDefinition, "flagMode">,
) => event.achievements.map(({ id }) => id).filter((id) => flags.get(event, id) === null);
