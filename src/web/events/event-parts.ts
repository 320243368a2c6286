// What the routes of events have in common.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { EventDefinition } from "#core/events/event.ts";
import type { AuditKind } from "#core/words/audit.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { EntryDetails } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuseWith } from "#web/http/errors.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

const event = Type.String({ description: "id of the event" });
export const EventParams = Type.Object({ event });
export const AchievementParams = Type.Object({
  event,
  id: Type.String({ description: "id of the achievement" }),
});

/** An audit entry about an event. */
export const noteOf = (
  deps: ApiDeps,
  caller: Caller,
  kind: AuditKind,
  { id, name }: Pick<EventDefinition, "id" | "name">,
  more: EntryDetails = {},
) => entryOf(deps, actorOf(caller), kind, { kind: "event", id, name }, more);

export const achievementOf = ({ achievements }: EventDefinition, id: string) =>
  achievements.find((achievement) => achievement.id === id) ?? null;

export const noAchievement = (reply: FastifyReply) =>
  refuseWith(reply, 404, "There is no such achievement in the event.");

/** Writes events, in turn. What fails may be done nevertheless: memory follows the store then. */
export async function written<T>(deps: LadderDeps, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.arena.inDoubt(() => deps.door.inTurn(() => followStore(deps)));
    throw error;
  }
}

async function followStore(deps: LadderDeps): Promise<void> {
  const { store, events, awards } = deps;
  const kept = await store.events.list();
  const ids = new Set(kept.map(({ id }) => id));
  for (const { id } of events.all()) if (!ids.has(id)) events.drop(id);
  for (const event of kept) {
    if (events.byId(event.id)?.revision === event.revision) continue;
    events.put(event);
    awards.changed(event.id);
  }
  sweepImages(deps);
}

/** The store knows also of a picture that it named without an answer. */
const namedImages = async ({ events }: ApiDeps["store"]): Promise<string[]> =>
  (await events.images()).map(({ hash }) => hash);

/** Removes pictures that no event names any more. What fails is tried again at the next start. */
export function sweepImages({ images, store, log }: ApiDeps): void {
  images
    .sweep(() => namedImages(store))
    .catch((error: unknown) => {
      log.warn({ error }, "pictures that no event names are still there");
    });
}
