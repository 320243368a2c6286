// Announcements: what becomes of one, where it goes, and what becomes of its mail.

export const ANNOUNCEMENT_STATES = ["draft", "published", "archived"] as const;

/** Where an announcement appears: as a notice on every page, and as mail. */
export const CHANNELS = ["in_game", "email"] as const;

export const DELIVERY_STATES = [
  "pending",
  "sending",
  "accepted",
  "failed",
  "unknown",
  "skipped",
] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How many mails are in each state. */
export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;
