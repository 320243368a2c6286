import type { AdminAnnouncement, RetriedAnnouncement } from "#core/api/announcement.ts";
import { DELIVERY_STATES } from "#core/mail/delivery.ts";
import { printableLine } from "#tools/terminal/printable.ts";

import { formatField, EMPTY_CELL, formatTextTable, formatInstant } from "./admin-print.ts";

export function printAnnouncements(announcements: readonly AdminAnnouncement[]): string[] {
  if (announcements.length === 0) return ["No announcements yet."];
  const rows = announcements.map(({ id, state, created, published, channels, title }) => [
    id,
    state,
    formatInstant(created),
    formatInstant(published),
    channels.join(", "),
    title,
  ]);
  return formatTextTable(
    ["ID", "STATE", "CREATED (UTC)", "PUBLISHED (UTC)", "CHANNELS", "TITLE"],
    rows,
  );
}

export function printAnnouncement(announcement: AdminAnnouncement): string[] {
  const { id, title, body, state, created, published, archived, channels } = announcement;
  const { accounts, subscribed, unsubscribed, suppressed } = announcement.audience;
  const audience = `${accounts} accounts: ${subscribed} subscribed, ${unsubscribed} not`;
  return [
    formatField("id", id),
    formatField("state", state),
    formatField("made", `${formatInstant(created)} UTC`),
    formatField("published", published === null ? EMPTY_CELL : `${formatInstant(published)} UTC`),
    formatField("archived", archived === null ? EMPTY_CELL : `${formatInstant(archived)} UTC`),
    formatField("channels", channels.join(", ")),
    formatField("audience", suppressed === 0 ? audience : `${audience}; ${suppressed} suppressed`),
    formatField("emails", describeDeliveries(announcement)),
    "",
    printableLine(title),
    "",
    ...body.split("\n").map((text) => printableLine(text)),
  ];
}

export const printRetry = (announcement: RetriedAnnouncement): string[] => [
  `Failed emails to send again: ${announcement.requeued}.`,
  "",
  ...printAnnouncement(announcement),
];

function describeDeliveries({ deliveries }: AdminAnnouncement): string {
  const nonZeroStates = DELIVERY_STATES.filter((state) => deliveries[state] > 0);
  if (nonZeroStates.length === 0) return EMPTY_CELL;
  return nonZeroStates.map((state) => `${deliveries[state]} ${state}`).join(", ");
}
