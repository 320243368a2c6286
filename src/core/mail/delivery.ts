// Optional email. Each email is a delivery: a row of the store that passes through these states
// once.

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { EmailSettings } from "#core/accounts/account.ts";

/** Categories that people can turn on or off. */
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

/** Outcomes of a delivery that was handed to the mail server. */
export type DeliveryResult = Extract<DeliveryState, "accepted" | "failed" | "unknown">;

/** Only an operator can move `failed` back to `pending`. `unknown` deliveries may have arrived. */
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

/** Returns whether an account receives email of a category. */
export function acceptsEmail(
  { announcements, preferences }: EmailSettings,
  category: MailCategory,
) {
  return category === "announcements" ? announcements : preferences[category];
}

/** Changes to email settings; absent fields stay unchanged. */
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

/** Returns the settings after opting out of a category. */
export function optOut(settings: EmailSettings, category: MailCategory): EmailSettings {
  if (category === "announcements") return { ...settings, announcements: false };
  return { ...settings, preferences: { ...settings.preferences, [category]: false } };
}
