// Mail in the words of the console.

import type { DeliveryState, MailCategory } from "#core/mail/delivery.ts";
import type { IncidentCause } from "#core/mail/incident.ts";
import type { Incident } from "#core/operator/email.ts";

export const CATEGORY_TITLES: Readonly<Record<MailCategory, string>> = {
  announcements: "Announcements",
  onboarding: "First steps",
  achievements: "Achievements",
  bot_health: "A bot in trouble",
  event_reminders: "Events",
  weekly_digest: "Weekly digest",
  admin_warnings: "Warnings for operators",
};

/** In the order of a letter's life. */
export const STATE_TITLES: Readonly<Record<DeliveryState, string>> = {
  pending: "Waiting",
  sending: "On their way",
  accepted: "Accepted",
  failed: "Failed",
  unknown: "Unknown",
  skipped: "Skipped",
};

export const DELIVERY_ORDER = Object.keys(STATE_TITLES) as DeliveryState[];

const CAUSES: Readonly<Record<IncidentCause, string>> = {
  login_refused: "the mail server does not take the password",
  sender_refused: "the mail server does not take mail from this sender",
  many_failures: "many letters in a row did not arrive",
};

export const causeWords = (cause: IncidentCause): string => CAUSES[cause];

export const scopeWords = (scope: Incident["scope"]): string =>
  scope === "*" ? "All of it" : CATEGORY_TITLES[scope];
