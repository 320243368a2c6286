import type { Incident } from "#core/api/admin-emails.ts";
import type { DeliveryCounts, DeliveryState, MailCategory } from "#core/mail/delivery.ts";
import type { IncidentCause } from "#core/mail/incident.ts";

export const MAIL_CATEGORY_TITLES: Readonly<Record<MailCategory, string>> = {
  announcements: "Announcements",
  onboarding: "Getting started",
  achievements: "Achievements",
  bot_health: "Bot problems",
  event_reminders: "Events",
  weekly_digest: "Weekly digest",
  admin_warnings: "Operator warnings",
};

export const DELIVERY_STATE_TITLES: Readonly<Record<DeliveryState, string>> = {
  pending: "Waiting",
  sending: "Sending",
  accepted: "Accepted",
  failed: "Failed",
  unknown: "Unknown",
  skipped: "Skipped",
};

export const ORDERED_DELIVERY_STATES = Object.keys(DELIVERY_STATE_TITLES) as DeliveryState[];

const GROUPED_FORMAT = new Intl.NumberFormat("en");

export const totalDeliveries = (counts: DeliveryCounts): number =>
  ORDERED_DELIVERY_STATES.reduce((sum, state) => sum + counts[state], 0);

/** Summarizes how many emails were sent, were skipped, failed or have an unknown outcome. */
export function describeDeliveries(counts: DeliveryCounts): string {
  const parts = [
    `${GROUPED_FORMAT.format(counts.accepted)} of ${GROUPED_FORMAT.format(totalDeliveries(counts))} emails sent`,
    ...(["skipped", "failed", "unknown"] as const).flatMap((state) =>
      counts[state] === 0 ? [] : [`${GROUPED_FORMAT.format(counts[state])} ${state}`],
    ),
  ];
  return `${parts.join(", ")}.`;
}

const CAUSE_TEXTS: Readonly<Record<IncidentCause, string>> = {
  login_refused: "the mail server rejected the password",
  sender_refused: "the mail server rejected the sender",
  many_failures: "too many consecutive emails were rejected",
  recipients_refused: "the mail server rejected too many consecutive recipients",
};

export const describeCause = (cause: IncidentCause): string => CAUSE_TEXTS[cause];

export function describeScope(scope: Incident["scope"]): string {
  if (scope === "*") return "All optional email";
  return scope === "transactional" ? "Transactional email" : MAIL_CATEGORY_TITLES[scope];
}
