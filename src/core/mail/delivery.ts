// Optional email. Each email is a delivery: a row in the store that passes through these states
// once.

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { EmailSettings } from "#core/accounts/account.ts";

export const MAIL_CATEGORIES = ["announcements", ...EMAIL_PREFERENCES] as const;
export type MailCategory = (typeof MAIL_CATEGORIES)[number];

export const DELIVERY_STATES = [
  "pending",
  "sending",
  "accepted",
  "failed",
  "unknown",
  "skipped",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

/** Delivery outcomes after the mail server was contacted. */
export type DeliveryResult = Extract<DeliveryState, "accepted" | "failed" | "unknown">;

/**
 * Only an operator can move a delivery from `failed` back to `pending`. An `unknown` delivery may
 * have arrived.
 */
const DELIVERY_TRANSITIONS: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  pending: ["sending", "skipped"],
  sending: ["accepted", "failed", "unknown"],
  failed: ["pending"],
  accepted: [],
  unknown: [],
  skipped: [],
};

export const canTransition = (from: DeliveryState, to: DeliveryState): boolean =>
  DELIVERY_TRANSITIONS[from].includes(to);

export const zeroDeliveryCounts = (): Record<DeliveryState, number> => ({
  pending: 0,
  sending: 0,
  accepted: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
});

export function acceptsEmail(
  { announcements, preferences }: EmailSettings,
  category: MailCategory,
) {
  return category === "announcements" ? announcements : preferences[category];
}

/** Omitted fields stay unchanged. */
export type EmailSettingsChange = {
  announcements?: boolean | undefined;
  preferences?: Partial<EmailSettings["preferences"]> | undefined;
};

export function updateEmailSettings(
  settings: EmailSettings,
  change: EmailSettingsChange,
): EmailSettings {
  const { announcements = settings.announcements, preferences } = change;
  return { announcements, preferences: { ...settings.preferences, ...preferences } };
}

export function optOut(settings: EmailSettings, category: MailCategory): EmailSettings {
  if (category === "announcements") return { ...settings, announcements: false };
  return { ...settings, preferences: { ...settings.preferences, [category]: false } };
}
