// Letters of the second lane: what each is about, without its words.

import type { Sender, WrittenLetter } from "#core/accounts/letter.ts";

import type { MailCategory } from "./delivery.ts";

/** What admins are warned of. */
const WARNINGS = ["engine_fault", "mail_incident"] as const;
export type AdminWarning = (typeof WARNINGS)[number];

/** An edge of an event's window, a day ahead. */
type EventEdge = { eventId: string; event: string; ladder: string; at: string };

/** A week of a bot. */
type BotWeek = { bot: string; games: number; wins: number; draws: number; losses: number };

/** What each kind of letter is about. All instants are UTC texts. */
type Facts = {
  announcement: { title: string; body: string };
  welcome: { handle: string };
  first_match: { handle: string };
  achievement: {
    eventId: string;
    event: string;
    achievement: string;
    /** Its bot. Null if that is gone; missing in what was stored before it was noted. */
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
  event_opens: EventEdge;
  event_closes: EventEdge;
  /** Of the days from `from` to `to`, both as `2026-11-23`. */
  weekly_digest: { from: string; to: string; bots: readonly BotWeek[] };
  admin_warning: { warning: AdminWarning; at: string; about: string };
};

export type NoticeKind = keyof Facts;

export type MailNoticeOf<K extends NoticeKind> = { kind: K; data: Facts[K] };
export type MailNotice = { [K in NoticeKind]: MailNoticeOf<K> }[NoticeKind];

/** By which choice people get a letter or not. */
export const CATEGORY_OF: Readonly<Record<NoticeKind, MailCategory>> = {
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

/** `unsubscribe` is where the reader refuses its category; null in what operators look at. */
export type WriteNotice = (
  notice: MailNotice,
  sender: Sender,
  unsubscribe: string | null,
) => WrittenLetter;
