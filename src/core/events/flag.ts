// Flags are the texts that earners of an achievement are shown. The operator gives them in variables
// of the environment or in a file; they are in no database.

import type { EventId } from "#core/words/ids.ts";

import type { EventDefinition } from "./event.ts";

export const FLAG_PREFIX = "BOUT_FLAG_";

const upper = (slug: string): string => slug.toUpperCase().replaceAll("-", "_");

/** The variable of the environment with an achievement's flag. */
export const flagVariable = (eventId: EventId, achievementId: string): string =>
  `${FLAG_PREFIX}${upper(eventId)}__${upper(achievementId)}`;

/** What has flags. */
type Flagged = Pick<EventDefinition, "id"> & { achievements: readonly { id: string }[] };

/** Variables that two achievements would share. Ids with two dashes in a row can lead to that. */
export function sharedVariables(events: readonly Flagged[]): string[] {
  const all = events.flatMap(({ id, achievements }) =>
    achievements.map((achievement) => flagVariable(id, achievement.id)),
  );
  return [...new Set(all.filter((name, at) => all.indexOf(name) !== at))];
}

/** The flags of a running server. */
export type Flags = {
  /** Null where there is none. */
  of(event: Pick<EventDefinition, "id" | "flagMode">, achievementId: string): string | null;
};

/** Ids of the achievements that have no flag. */
export const missingFlags = (flags: Flags, event: Flagged & Pick<EventDefinition, "flagMode">) =>
  event.achievements.map(({ id }) => id).filter((id) => flags.of(event, id) === null);
