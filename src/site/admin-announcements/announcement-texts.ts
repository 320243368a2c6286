import { SECOND_MS } from "#base/util/time.ts";
import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/limits/announcement-limits.ts";

export const ANNOUNCEMENTS_ROUTE = "/api/admin/announcements";

const CHANNEL_TEXTS: Readonly<Record<AdminAnnouncement["channels"][number], string>> = {
  in_game: "as a notice",
  email: "by email",
};

export const describeChannels = ({ channels }: Pick<AdminAnnouncement, "channels">): string =>
  channels.map((channel) => CHANNEL_TEXTS[channel]).join(" and ");

export const isSentByEmail = ({ channels }: Pick<AdminAnnouncement, "channels">): boolean =>
  channels.includes("email");

/** Returns the time until which a draft can be published (ISO 8601, server clock). */
export function publishDeadline({ created }: Pick<AdminAnnouncement, "created">): string {
  const draftLifetimeMs = ANNOUNCEMENT_LIMITS.announcement_preview_s.default * SECOND_MS;
  return new Date(Date.parse(created) + draftLifetimeMs).toISOString();
}

const GROUPED_FORMAT = new Intl.NumberFormat("en");

const describePeople = (count: number): string =>
  count === 1 ? "1 person" : `${GROUPED_FORMAT.format(count)} people`;

/** Describes who will see or receive the announcement. Publishing can't be undone. */
export function describePublishing({ channels, audience }: AdminAnnouncement): string[] {
  const hasEmail = channels.includes("email");
  return [
    ...(channels.includes("in_game")
      ? ["Everyone viewing a page sees the notice within seconds."]
      : []),
    ...(hasEmail
      ? [
          audience.subscribed === 0
            ? "No emails will be sent: no account with a confirmed address is subscribed."
            : `${describePeople(audience.subscribed - audience.suppressed)} will get an email, except those who unsubscribe before it is sent.`,
          ...(audience.suppressed === 0
            ? []
            : [
                `${describePeople(audience.suppressed)} will be skipped because the mail server refused their address before.`,
              ]),
        ]
      : ["No emails will be sent: it appears as a notice only."]),
    hasEmail
      ? "This can't be undone: emails can't be recalled."
      : "This can't be undone: people may already have read it.",
  ];
}
