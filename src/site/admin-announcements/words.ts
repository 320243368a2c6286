// Announcements in the words of the console.

import { SECOND_MS } from "#base/units/time.ts";
import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { ANNOUNCEMENT_LIMITS } from "#core/words/announcement-limits.ts";

export const ANNOUNCEMENTS_ROUTE = "/api/admin/announcements";

const CHANNEL_WORDS: Readonly<Record<AdminAnnouncement["channels"][number], string>> = {
  in_game: "as a notice",
  email: "by mail",
};

export const channelWords = ({ channels }: Pick<AdminAnnouncement, "channels">): string =>
  channels.map((channel) => CHANNEL_WORDS[channel]).join(" and ");

export const goesAsMail = ({ channels }: Pick<AdminAnnouncement, "channels">): boolean =>
  channels.includes("email");

/** Until when a draft can be published, as the server counts. */
export function publishedBy({ created }: Pick<AdminAnnouncement, "created">): string {
  const until = ANNOUNCEMENT_LIMITS.announcement_preview_s.default * SECOND_MS;
  return new Date(Date.parse(created) + until).toISOString();
}

const GROUPED = new Intl.NumberFormat("en");

const peopleWords = (count: number): string =>
  count === 1 ? "1 person" : `${GROUPED.format(count)} people`;

/** What publishing does, which nobody can take back. */
export function publishingWords({ channels, audience }: AdminAnnouncement): string[] {
  const mail = channels.includes("email");
  return [
    ...(channels.includes("in_game")
      ? ["Everybody who looks at a page sees the notice within seconds."]
      : []),
    ...(mail
      ? [
          audience.subscribed === 0
            ? "No emails will be sent: no account with a confirmed address is subscribed."
            : `${peopleWords(audience.subscribed - audience.suppressed)} get an email, except those who unsubscribe before it is sent.`,
          ...(audience.suppressed === 0
            ? []
            : [
                `${peopleWords(audience.suppressed)} are skipped: the mail server refused their address before.`,
              ]),
        ]
      : ["No emails will be sent: it appears as a notice only."]),
    mail
      ? "This cannot be taken back: a letter that is out is out."
      : "This cannot be taken back: who has read it has read it.",
  ];
}
