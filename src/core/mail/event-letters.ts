// What people get about events: what they have earned, and a day before a window opens and closes.

import { msOf } from "#base/units/instant.ts";
import { HOUR_MS } from "#base/units/time.ts";
import type { AwardFact } from "#core/events/awards.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { AccountId, EventId, LadderId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { DueLetter } from "./due-letter.ts";

/** `bot`: the name of the bot that has done it. Null if the event has no such achievement any more. */
export function awardLetter(
  event: Pick<EventDefinition, "id" | "name" | "achievements">,
  { accountId, achievementId, earnedAt }: AwardFact,
  { bot, at }: { bot: string | null; at: string },
): DueLetter | null {
  const achievement = event.achievements.find(({ id }) => id === achievementId)?.name;
  if (achievement === undefined) return null;
  const data = { eventId: event.id, event: event.name, achievement, bot, earnedAt };
  const subject = `${event.id} ${achievementId}`;
  return { accountId, subject, notice: { kind: "achievement", data }, due: at };
}

/** An edge of an event's window that is near. */
export type NearEdge = {
  kind: "event_opens" | "event_closes";
  eventId: EventId;
  event: string;
  ladderId: LadderId;
  at: string;
};

type Window = Pick<
  EventDefinition,
  "id" | "name" | "ladderId" | "opensAt" | "closesAt" | "enabled"
>;

/**
 * The edges that people are reminded of now. Of an event that lasts no longer than the time a
 * reminder is ahead, only the first one.
 */
export function nearEdges(events: readonly Window[], nowMs: number): NearEdge[] {
  const aheadMs = FIXED.reminder_h * HOUR_MS;
  const isNear = (at: string) => msOf(at) > nowMs && msOf(at) - aheadMs <= nowMs;
  return events
    .filter(({ enabled }) => enabled)
    .flatMap(({ id: eventId, name: event, ladderId, opensAt, closesAt }) => {
      const about = { eventId, event, ladderId };
      const lastsMs = msOf(closesAt) - msOf(opensAt);
      const near: NearEdge[] = [];
      if (isNear(opensAt)) near.push({ kind: "event_opens", ...about, at: opensAt });
      if (lastsMs > aheadMs && isNear(closesAt))
        near.push({ kind: "event_closes", ...about, at: closesAt });
      return near;
    });
}

/** An event that is moved is not told of once more. */
export const reminderLetter = (
  { kind, eventId, event, ladderId: ladder, at }: NearEdge,
  accountId: AccountId,
  due: string,
): DueLetter => ({
  accountId,
  subject: `${eventId} ${kind}`,
  notice: { kind, data: { eventId, event, ladder, at } },
  due,
});

/** The name of what is noted once everybody is told of an edge. */
export const edgeMark = ({ kind, eventId, at }: NearEdge): string => `${kind} ${eventId} ${at}`;
