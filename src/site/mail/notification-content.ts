import type { SenderInfo } from "#core/accounts/transactional-email.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { CATEGORY_BY_KIND } from "#core/mail/email-notification.ts";
import type {
  EmailNotification,
  NotificationKind,
  EmailNotificationOf,
  AdminWarning,
} from "#core/mail/email-notification.ts";
import { formatUtcTime } from "#site/ui/time-format.ts";

import {
  accountUrl,
  factsPart,
  senderHost,
  toSingleLine,
  linkPart,
  paragraphPart,
} from "./transactional-content.ts";
import type { EmailContent, EmailFact } from "./transactional-content.ts";

type NotificationWriters = {
  [K in NotificationKind]: (
    data: EmailNotificationOf<K>["data"],
    sender: SenderInfo,
  ) => Omit<EmailContent, "footer">;
};

const NOTIFICATION_WRITERS: NotificationWriters = {
  announcement: ({ title, body }, sender) => ({
    subject: toSingleLine(title),
    parts: [
      ...body.split(/\n{2,}/).map((paragraph) => paragraphPart(paragraph)),
      linkPart("Go to the site", `${sender.baseUrl}/`),
    ],
  }),
  welcome: ({ handle }, sender) => ({
    subject: "Welcome to the ladder",
    parts: [
      paragraphPart(
        `Your handle at ${senderHost(sender)} is ${handle}. It's shown with your bots.`,
      ),
      paragraphPart(
        "To play your first match, create a bot, add its token to a starter, and run it. It takes a few minutes.",
      ),
      linkPart("Create a bot", `${sender.baseUrl}/create-bot`),
    ],
  }),
  first_match: ({ handle }, sender) => ({
    subject: "Play your first match",
    parts: [
      paragraphPart(
        `You chose the handle ${handle} at ${senderHost(sender)} a few days ago, but none of your bots has played a rated match yet.`,
      ),
      paragraphPart("The starters work without changes. Edit one to make it yours."),
      linkPart("Create a bot", `${sender.baseUrl}/create-bot`),
    ],
  }),
  achievement: ({ eventId, event, achievement, bot, earnedAt }, sender) => ({
    subject: toSingleLine(`Achievement earned: ${achievement} in ${event}`),
    parts: [
      paragraphPart(
        bot ? `Your bot ${bot} earned an achievement.` : "One of your bots earned an achievement.",
      ),
      factsPart(
        ["Achievement", toSingleLine(achievement)],
        ["Event", toSingleLine(event)],
        timeFact(earnedAt),
      ),
      linkPart("View your achievements", eventUrl(sender, eventId)),
    ],
  }),
  bot_unwell: ({ bot, version, matches, disqualifications, failedPercent }, sender) => ({
    subject: `Your bot ${bot} has problems`,
    parts: [
      paragraphPart(
        `In its latest ${matches} matches, your bot lost turns because they were late or rejected.`,
      ),
      factsPart(
        ["Bot", bot],
        ["Version", toSingleLine(version)],
        ["Disqualifications", String(disqualifications)],
        ["Failed turns", `${failedPercent} %`],
      ),
      paragraphPart(
        "The bot's page shows which turns failed and why. We'll email you when it recovers.",
      ),
      botLink(sender, bot),
    ],
  }),
  bot_well: ({ bot, version }, sender) => ({
    subject: `Your bot ${bot} has recovered`,
    parts: [
      paragraphPart("In its latest matches, its turns arrived in time and were accepted."),
      factsPart(["Bot", bot], ["Version", toSingleLine(version)]),
      botLink(sender, bot),
    ],
  }),
  event_opens: (boundary, sender) => ({
    subject: toSingleLine(`${boundary.event} opens soon`),
    parts: [
      paragraphPart("Your bots' matches count from then on."),
      factsPart(
        ["Event", toSingleLine(boundary.event)],
        ["Ladder", boundary.ladder],
        ["Opens", formatInstant(boundary.at)],
      ),
      linkPart("View event", eventUrl(sender, boundary.eventId)),
    ],
  }),
  event_closes: (boundary, sender) => ({
    subject: toSingleLine(`${boundary.event} closes soon`),
    parts: [
      paragraphPart("After that, its achievements can no longer be earned."),
      factsPart(
        ["Event", toSingleLine(boundary.event)],
        ["Ladder", boundary.ladder],
        ["Closes", formatInstant(boundary.at)],
      ),
      linkPart("View event", eventUrl(sender, boundary.eventId)),
    ],
  }),
  weekly_digest: ({ from, to, bots }, sender) => ({
    subject: "Weekly summary of your bots",
    parts: [
      paragraphPart(`Your bots' rated matches at ${senderHost(sender)} from ${from} to ${to}:`),
      factsPart(...bots.map(weeklyFact)),
      linkPart("View leaderboard", `${sender.baseUrl}/ladder`),
    ],
  }),
  admin_warning: ({ warning, at, about: subject }, sender) => ({
    subject: WARNING_SUBJECTS[warning],
    parts: [
      paragraphPart(`You're an admin of ${senderHost(sender)}, and this needs your attention.`),
      factsPart(["Problem", subject], timeFact(at)),
      paragraphPart(
        "See the server log for details. You get up to one email an hour about each kind of problem.",
      ),
      linkPart("Go to the console", `${sender.baseUrl}/admin`),
    ],
  }),
};

const WARNING_SUBJECTS: Readonly<Record<AdminWarning, string>> = {
  engine_fault: "A match ended because of a server error",
  mail_incident: "Email can't be sent",
};

const formatInstant = (at: string): string => formatUtcTime(at, "minute");
const timeFact = (at: string): EmailFact => ["When", formatInstant(at)];

const eventUrl = ({ baseUrl }: SenderInfo, id: string): string =>
  `${baseUrl}/achievements?event=${encodeURIComponent(id)}`;

const botLink = ({ baseUrl }: SenderInfo, bot: string) =>
  linkPart(`View ${bot}`, `${baseUrl}/bot/${encodeURIComponent(bot)}`);

const weeklyFact = ({
  bot,
  games,
  wins,
  draws,
  losses,
}: EmailNotificationOf<"weekly_digest">["data"]["bots"][number]): EmailFact => [
  bot,
  `${games} matches: ${wins} won, ${draws} drawn, ${losses} lost`,
];

const CATEGORY_SUBJECTS: Readonly<Record<MailCategory, string>> = {
  announcements: "announcements",
  onboarding: "getting started",
  achievements: "achievements",
  bot_health: "bot health",
  event_reminders: "events",
  weekly_digest: "weekly summaries",
  admin_warnings: "operator warnings",
};

export function notificationContent(
  notification: EmailNotification,
  sender: SenderInfo,
  unsubscribe: string | null,
): EmailContent {
  // TypeScript can't match a notification's kind with its template.
  const writer = NOTIFICATION_WRITERS[notification.kind] as (
    data: EmailNotification["data"],
    sender: SenderInfo,
  ) => Omit<EmailContent, "footer">;
  const { baseUrl, contact } = sender;
  const subject = CATEGORY_SUBJECTS[CATEGORY_BY_KIND[notification.kind]];
  const preferencesHint = `Change your email preferences in your account: ${accountUrl(sender)}`;
  const operatorLine = contact === null ? [] : [`Operator: ${contact}`];
  return {
    ...writer(notification.data, sender),
    footer: [`Sent by ${baseUrl}. ${preferencesHint}`, ...operatorLine],
    ...(unsubscribe !== null && {
      unsubscribeLink: { label: `Unsubscribe from ${subject}`, href: unsubscribe },
    }),
  };
}
