import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { EventDefinition } from "#core/events/event.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import type { AuditDetails } from "#web/auth/audit-entry.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuseWithStatus } from "#web/http/errors.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

const event = Type.String({ description: "id of the event" });
export const EventParams = Type.Object({ event });
export const AchievementParams = Type.Object({
  event,
  id: Type.String({ description: "id of the achievement" }),
});

export const eventAuditEntry = (
  deps: ApiDeps,
  caller: Caller,
  kind: AuditKind,
  { id, name }: Pick<EventDefinition, "id" | "name">,
  details: AuditDetails = {},
) => newAuditEntry(deps, auditActor(caller), kind, { kind: "event", id, name }, details);

export const findAchievement = ({ achievements }: EventDefinition, id: string) =>
  achievements.find((achievement) => achievement.id === id) ?? null;

export const refuseUnknownAchievement = (reply: FastifyReply) =>
  refuseWithStatus(reply, 404, "There is no such achievement in the event.");

/**
 * Runs a write on events. The write may have been stored even if it fails, so memory is then synced
 * with the store.
 */
export async function writeEvent<T>(deps: LadderDeps, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.arena.reconcile(() => deps.mutex.run(() => reloadEvents(deps)));
    throw error;
  }
}

async function reloadEvents(deps: LadderDeps): Promise<void> {
  const { store, events, awards } = deps;
  const storedEvents = await store.events.list();
  const ids = new Set(storedEvents.map(({ id }) => id));
  for (const { id } of events.list()) if (!ids.has(id)) events.remove(id);
  for (const event of storedEvents) {
    if (events.byId(event.id)?.revision === event.revision) continue;
    events.upsert(event);
    awards.handleEventChanged(event.id);
  }
  sweepImages(deps);
}

/**
 * Reads the store instead of memory, because an image may have been stored even though the response
 * was lost.
 */
const referencedImages = async ({ events }: ApiDeps["store"]): Promise<string[]> =>
  (await events.images()).map(({ hash }) => hash);

/** Removes unreferenced images. If a removal fails, the next start retries it. */
export function sweepImages({ images, store, log }: ApiDeps): void {
  images
    .sweep(() => referencedImages(store))
    .catch((error: unknown) => {
      log.warn({ error }, "could not remove unreferenced images");
    });
}
