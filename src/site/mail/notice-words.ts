// What letters say that people may refuse.

import type { Sender } from "#core/accounts/letter.ts";
import type { MailCategory } from "#core/mail/delivery.ts";
import { CATEGORY_OF } from "#core/mail/notice.ts";
import type { MailNotice, NoticeKind, MailNoticeOf, AdminWarning } from "#core/mail/notice.ts";
import { utcWords } from "#site/look/when-words.ts";

import { accountOf, facts, hostOf, oneLine, step, words } from "./words.ts";
import type { Content, Fact } from "./words.ts";

type Writers = {
  [K in NoticeKind]: (data: MailNoticeOf<K>["data"], sender: Sender) => Omit<Content, "foot">;
};

const WRITERS: Writers = {
  announcement: ({ title, body }, sender) => ({
    subject: oneLine(title),
    parts: [
      ...body.split(/\n{2,}/).map((paragraph) => words(paragraph)),
      step("Go to the ladder", `${sender.baseUrl}/`),
    ],
  }),
  welcome: ({ handle }, sender) => ({
    subject: "Welcome to the ladder",
    parts: [
      words(`Your handle at ${hostOf(sender)} is ${handle}. Your bots will fight under this name.`),
      words(
        "To get a bot into its first match: make one, put its token into a starter, and run it. It takes a few minutes.",
      ),
      step("Create a bot", `${sender.baseUrl}/create-bot`),
    ],
  }),
  first_match: ({ handle }, sender) => ({
    subject: "Your first match is still to come",
    parts: [
      words(
        `You chose the handle ${handle} at ${hostOf(sender)} a few days ago, and no bot of yours has played a rated match yet.`,
      ),
      words("The starters fight as they are. Change one line, and it is yours."),
      step("Create a bot", `${sender.baseUrl}/create-bot`),
    ],
  }),
  achievement: ({ eventId, event, achievement, bot, earnedAt }, sender) => ({
    subject: oneLine(`You have earned ${achievement} in ${event}`),
    parts: [
      words(bot ? `Your bot ${bot} has done it.` : "One of your bots has done it."),
      facts(["Achievement", oneLine(achievement)], ["Event", oneLine(event)], when(earnedAt)),
      step("See your achievements", eventPage(sender, eventId)),
    ],
  }),
  bot_unwell: ({ bot, version, matches, disqualifications, failedPercent }, sender) => ({
    subject: `Your bot ${bot} is not well`,
    parts: [
      words(
        `In its latest ${matches} matches your bot lost turns: they came too late, or were refused.`,
      ),
      facts(
        ["Bot", bot],
        ["Version", oneLine(version)],
        ["Disqualifications", String(disqualifications)],
        ["Failed turns", `${failedPercent} %`],
      ),
      words("Its page tells which turns failed and why. We write again once it is well."),
      botStep(sender, bot),
    ],
  }),
  bot_well: ({ bot, version }, sender) => ({
    subject: `Your bot ${bot} is well again`,
    parts: [
      words("In its latest matches its turns came in time, and were taken."),
      facts(["Bot", bot], ["Version", oneLine(version)]),
      botStep(sender, bot),
    ],
  }),
  event_opens: (edge, sender) => ({
    subject: oneLine(`${edge.event} opens soon`),
    parts: [
      words("From then on the matches of your bots count for it."),
      facts(["Event", oneLine(edge.event)], ["Ladder", edge.ladder], ["Opens", whole(edge.at)]),
      step("See the event", eventPage(sender, edge.eventId)),
    ],
  }),
  event_closes: (edge, sender) => ({
    subject: oneLine(`${edge.event} closes soon`),
    parts: [
      words("What your bots have not earned until then cannot be earned any more."),
      facts(["Event", oneLine(edge.event)], ["Ladder", edge.ladder], ["Closes", whole(edge.at)]),
      step("See the event", eventPage(sender, edge.eventId)),
    ],
  }),
  weekly_digest: ({ from, to, bots }, sender) => ({
    subject: "A week of your bots",
    parts: [
      words(`What your bots did at ${hostOf(sender)} from ${from} to ${to}, in rated matches.`),
      facts(...bots.map(weekOf)),
      step("See the ladder", `${sender.baseUrl}/ladder`),
    ],
  }),
  admin_warning: ({ warning, at, about }, sender) => ({
    subject: WARNED[warning],
    parts: [
      words(`You are an admin of ${hostOf(sender)}, and this should not wait.`),
      facts(["What", about], when(at)),
      words("The log of the server says more. Of one kind there is one such letter an hour."),
      step("Go to the console", `${sender.baseUrl}/admin`),
    ],
  }),
};

const WARNED: Readonly<Record<AdminWarning, string>> = {
  engine_fault: "A match ended by a fault of the server",
  mail_incident: "Mail of the ladder does not go out",
};

const whole = (at: string): string => utcWords(at, "minute");
const when = (at: string): Fact => ["When", whole(at)];

const eventPage = ({ baseUrl }: Sender, id: string): string =>
  `${baseUrl}/achievements?event=${encodeURIComponent(id)}`;

const botStep = ({ baseUrl }: Sender, bot: string) =>
  step(`See the page of ${bot}`, `${baseUrl}/bot/${encodeURIComponent(bot)}`);

const weekOf = ({
  bot,
  games,
  wins,
  draws,
  losses,
}: MailNoticeOf<"weekly_digest">["data"]["bots"][number]): Fact => [
  bot,
  `${games} matches: ${wins} won, ${draws} drawn, ${losses} lost`,
];

/** For readers: what the letters of a category are about. */
const ABOUT: Readonly<Record<MailCategory, string>> = {
  announcements: "announcements",
  onboarding: "first steps",
  achievements: "achievements",
  bot_health: "the health of bots",
  event_reminders: "events",
  weekly_digest: "weekly digests",
  admin_warnings: "warnings to admins",
};

export function noticeContent(
  notice: MailNotice,
  sender: Sender,
  unsubscribe: string | null,
): Content {
  // The kind of a notice finds its own writer, which TypeScript cannot follow.
  const write = WRITERS[notice.kind] as (
    data: MailNotice["data"],
    sender: Sender,
  ) => Omit<Content, "foot">;
  const { baseUrl, contact } = sender;
  const about = ABOUT[CATEGORY_OF[notice.kind]];
  const way = `You choose which mail you get in your account: ${accountOf(sender)}`;
  const operator = contact === null ? [] : [`The operator: ${contact}`];
  return {
    ...write(notice.data, sender),
    foot: [`A letter from ${baseUrl}. ${way}`, ...operator],
    ...(unsubscribe !== null && {
      refusal: { label: `No more mail about ${about}`, href: unsubscribe },
    }),
  };
}
