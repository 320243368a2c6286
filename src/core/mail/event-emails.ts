// Emails about awards, and reminders a day before an event opens or closes.

import { instantToMs } from "#base/util/instant.ts";
import { HOUR_MS } from "#base/util/time.ts";
import type { EarnedAward } from "#core/events/awards.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { AccountId, EventId, LadderId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DueEmail } from "./due-email.ts";

/**
 * Returns null if the event no longer has the achievement. `bot` is the name of the bot that earned
 * it.
 */
export function awardEmail(
  event: Pick<EventDefinition, "id" | "name" | "achievements">,
  { accountId, achievementId, earnedAt }: EarnedAward,
  { bot, at }: { bot: string | null; at: string },
): DueEmail | null {
  const achievement = event.achievements.find(({ id }) => id === achievementId)?.name;
  if (achievement === undefined) return null;
  const data = { eventId: event.id, event: event.name, achievement, bot, earnedAt };
  const subject = `${event.id} ${achievementId}`;
  return { accountId, subject, notice: { kind: "achievement", data }, due: at };
}

export type EventReminder = {
  kind: "event_opens" | "event_closes";
  eventId: EventId;
  event: string;
  ladderId: LadderId;
  at: string;
};

type ReminderEvent = Pick<
  EventDefinition,
  "id" | "name" | "ladderId" | "opensAt" | "closesAt" | "enabled"
>;

/**
 * Returns the reminders that are due now. Events shorter than the lead time get only the opening
 * reminder.
 */
export function dueReminders(events: readonly ReminderEvent[], nowMs: number): EventReminder[] {
  const leadTimeMs = FIXED_LIMITS.reminder_h * HOUR_MS;
  const isDue = (at: string) => instantToMs(at) > nowMs && instantToMs(at) - leadTimeMs <= nowMs;
  return events
    .filter(({ enabled }) => enabled)
    .flatMap(({ id: eventId, name: event, ladderId, opensAt, closesAt }) => {
      const eventData = { eventId, event, ladderId };
      const durationMs = instantToMs(closesAt) - instantToMs(opensAt);
      const reminders: EventReminder[] = [];
      if (isDue(opensAt)) reminders.push({ kind: "event_opens", ...eventData, at: opensAt });
      if (durationMs > leadTimeMs && isDue(closesAt))
        reminders.push({ kind: "event_closes", ...eventData, at: closesAt });
      return reminders;
    });
}

/** The subject excludes the time, so that a rescheduled event gets no second reminder. */
export const reminderEmail = (
  { kind, eventId, event, ladderId: ladder, at }: EventReminder,
  accountId: AccountId,
  due: string,
): DueEmail => ({
  accountId,
  subject: `${eventId} ${kind}`,
  notice: { kind, data: { eventId, event, ladder, at } },
  due,
});

/**
 * Returns the name of the mark stored after all reminders of an opening or closing have been
 * created.
 */
export const reminderMark = ({ kind, eventId, at }: EventReminder): string =>
  `${kind} ${eventId} ${at}`;
