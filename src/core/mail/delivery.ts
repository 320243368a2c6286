// The second lane of mail: what people may refuse. Each letter is a delivery, a row of the store that
// goes through these states once.

import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { MailChoice } from "#core/accounts/account.ts";

/** What people choose by: a category is wanted or not. */
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

/** How a delivery can end, once it was handed to the mail server. */
export type DeliveryEnd = Extract<DeliveryState, "accepted" | "failed" | "unknown">;

/** Only an operator takes `failed` back to `pending`. What is `unknown` may have arrived. */
const NEXT: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  pending: ["sending", "skipped"],
  sending: ["accepted", "failed", "unknown"],
  failed: ["pending"],
  accepted: [],
  unknown: [],
  skipped: [],
};

export const mayBecome = (from: DeliveryState, to: DeliveryState): boolean =>
  NEXT[from].includes(to);

export const noDeliveries = (): Record<DeliveryState, number> => ({
  pending: 0,
  sending: 0,
  accepted: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
});

/** Whether somebody wants mail of a category. */
export function wantsMail({ announcements, preferences }: MailChoice, category: MailCategory) {
  return category === "announcements" ? announcements : preferences[category];
}

/** What somebody chooses; the rest stays as it is. */
export type MailChange = {
  announcements?: boolean | undefined;
  preferences?: Partial<MailChoice["preferences"]> | undefined;
};

export function withMail(choice: MailChoice, change: MailChange): MailChoice {
  const { announcements = choice.announcements, preferences } = change;
  return { announcements, preferences: { ...choice.preferences, ...preferences } };
}

/** The choice of somebody who refuses a category from now on. */
export function withoutMail(choice: MailChoice, category: MailCategory): MailChoice {
  if (category === "announcements") return { ...choice, announcements: false };
  return { ...choice, preferences: { ...choice.preferences, [category]: false } };
}
