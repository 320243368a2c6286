// Mail in the words of the console.

import type { DeliveryCounts, DeliveryState, MailCategory } from "#core/mail/delivery.ts";
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

const GROUPED = new Intl.NumberFormat("en");

export const totalOf = (counts: DeliveryCounts): number =>
  DELIVERY_ORDER.reduce((sum, state) => sum + counts[state], 0);

/** Counts apart what was sent, skipped, and failed or unknown. */
export function sentWords(counts: DeliveryCounts): string {
  const parts = [
    `${GROUPED.format(counts.accepted)} of ${GROUPED.format(totalOf(counts))} emails sent`,
    ...(["skipped", "failed", "unknown"] as const).flatMap((state) =>
      counts[state] === 0 ? [] : [`${GROUPED.format(counts[state])} ${state}`],
    ),
  ];
  return `${parts.join(", ")}.`;
}

const CAUSES: Readonly<Record<IncidentCause, string>> = {
  login_refused: "the mail server does not take the password",
  sender_refused: "the mail server does not take mail from this sender",
  many_failures: "many emails in a row were not accepted",
  recipients_refused: "the mail server refused one recipient after another",
};

export const causeWords = (cause: IncidentCause): string => CAUSES[cause];

export function scopeWords(scope: Incident["scope"]): string {
  if (scope === "*") return "All optional email";
  return scope === "transactional" ? "Transactional email" : CATEGORY_TITLES[scope];
}
