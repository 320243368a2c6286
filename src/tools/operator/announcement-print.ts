// Announcements, for people at a terminal.

import { DELIVERY_STATES } from "#core/mail/delivery.ts";
import type { AdminAnnouncement, RetriedAnnouncement } from "#core/resources/announcement.ts";
import { line, NOTHING, table, when } from "#tools/cli/admin-print.ts";
import { oneLine } from "#tools/terminal/printable.ts";

export function printAnnouncements(all: readonly AdminAnnouncement[]): string[] {
  if (all.length === 0) return ["There is no announcement."];
  const rows = all.map(({ id, state, created, published, channels, title }) => [
    id,
    state,
    when(created),
    when(published),
    channels.join(", "),
    title,
  ]);
  return table(["ID", "STATE", "MADE (UTC)", "PUBLISHED (UTC)", "CHANNELS", "TITLE"], rows);
}

export function printAnnouncement(announcement: AdminAnnouncement): string[] {
  const { id, title, body, state, created, published, archived, channels } = announcement;
  const { accounts, subscribed, unsubscribed, suppressed } = announcement.audience;
  const audience = `${accounts} accounts: ${subscribed} subscribed, ${unsubscribed} not`;
  return [
    line("id", id),
    line("state", state),
    line("made", `${when(created)} UTC`),
    line("published", published === null ? NOTHING : `${when(published)} UTC`),
    line("archived", archived === null ? NOTHING : `${when(archived)} UTC`),
    line("channels", channels.join(", ")),
    line("audience", suppressed === 0 ? audience : `${audience}; ${suppressed} suppressed`),
    line("emails", mailsOf(announcement)),
    "",
    oneLine(title),
    "",
    ...body.split("\n").map((text) => oneLine(text)),
  ];
}

export const printRetry = (announcement: RetriedAnnouncement): string[] => [
  `${announcement.requeued} failed mails go out again.`,
  "",
  ...printAnnouncement(announcement),
];

function mailsOf({ deliveries }: AdminAnnouncement): string {
  const some = DELIVERY_STATES.filter((state) => deliveries[state] > 0);
  if (some.length === 0) return NOTHING;
  return some.map((state) => `${deliveries[state]} ${state}`).join(", ");
}
