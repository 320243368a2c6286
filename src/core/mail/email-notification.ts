// Kinds of optional email and their data, excluding their wording.

import type { SenderInfo, RenderedEmail } from "#core/accounts/transactional-email.ts";

import type { MailCategory } from "./delivery.ts";

const ADMIN_WARNINGS = ["engine_fault", "mail_incident"] as const;
export type AdminWarning = (typeof ADMIN_WARNINGS)[number];

type EventBoundary = { eventId: string; event: string; ladder: string; at: string };

type BotWeekSummary = { bot: string; games: number; wins: number; draws: number; losses: number };

/** Data of each kind of email. All instants are in UTC. */
type NotificationData = {
  announcement: { title: string; body: string };
  welcome: { handle: string };
  first_match: { handle: string };
  achievement: {
    eventId: string;
    event: string;
    achievement: string;
    /**
     * Bot that earned the achievement. Null if deleted; missing in emails stored by older releases.
     */
    bot?: string | null;
    earnedAt: string;
  };
  bot_unwell: {
    bot: string;
    version: string;
    matches: number;
    disqualifications: number;
    failedPercent: number;
  };
  bot_well: { bot: string; version: string };
  event_opens: EventBoundary;
  event_closes: EventBoundary;
  /** `from` and `to` are the first and last day, such as `2026-11-23`. */
  weekly_digest: { from: string; to: string; bots: readonly BotWeekSummary[] };
  admin_warning: { warning: AdminWarning; at: string; about: string };
};

export type NotificationKind = keyof NotificationData;

export type EmailNotificationOf<K extends NotificationKind> = {
  kind: K;
  data: NotificationData[K];
};
export type EmailNotification = {
  [K in NotificationKind]: EmailNotificationOf<K>;
}[NotificationKind];

export const CATEGORY_BY_KIND: Readonly<Record<NotificationKind, MailCategory>> = {
  announcement: "announcements",
  welcome: "onboarding",
  first_match: "onboarding",
  achievement: "achievements",
  bot_unwell: "bot_health",
  bot_well: "bot_health",
  event_opens: "event_reminders",
  event_closes: "event_reminders",
  weekly_digest: "weekly_digest",
  admin_warning: "admin_warnings",
};

/** `unsubscribe` is the recipient's unsubscribe link, or null in operator previews. */
export type RenderNotification = (
  notification: EmailNotification,
  sender: SenderInfo,
  unsubscribe: string | null,
) => RenderedEmail;
