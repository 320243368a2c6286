// What an operator can do with announcements: rows for the commands.

import { Type } from "typebox";

import {
  AdminAnnouncementSchema,
  DeletedAnnouncementSchema,
  RetriedAnnouncementSchema,
} from "#core/resources/announcement.ts";
import { CHANNELS } from "#core/words/announcement.ts";
import { FIXED } from "#core/words/limits.ts";
import { refuse, text } from "#server/configuration/flag-values.ts";
import type { Reader } from "#server/configuration/flag-values.ts";
import { action, flag, part } from "#tools/cli/admin-action.ts";
import type { AdminAction, Given, Parameter } from "#tools/cli/admin-action.ts";

import { printAnnouncement, printAnnouncements, printRetry } from "./announcement-print.ts";

const group = "announcements";

const ID: Parameter = { name: "id", form: "<ID>", about: "the announcement's id", read: text };
const WORDS: readonly Parameter[] = [
  {
    name: "title",
    form: "<TITLE>",
    about: `one line of at most ${FIXED.announcement_title_max} characters`,
    read: text,
  },
  {
    name: "text",
    form: "<TEXT>",
    about: `plain text of at most ${FIXED.announcement_body_max} characters`,
    read: text,
  },
];

const channels: Reader<string> = (value) =>
  value.split(",").every((word) => (CHANNELS as readonly string[]).includes(word))
    ? value
    : refuse(`${CHANNELS.join(", ")} or both, with a comma`);

const pathOf = ({ id }: Given, rest = "") => `announcements/${part(id)}${rest}`;
const wordsOf = ({ title, text: body }: Given) => ({ title, body });

function draftOf({ channels: named = "in_game", ...given }: Given): object {
  const chosen = String(named).split(",");
  const [in_game, email] = CHANNELS.map((channel) => chosen.includes(channel));
  return { ...wordsOf(given), in_game, email };
}

export const ANNOUNCEMENT_ACTIONS: readonly AdminAction[] = [
  action({
    group,
    name: "list",
    isDefault: true,
    about: `The latest ${FIXED.announcements_shown} announcements, drafts too.`,
    request: () => ({ method: "GET", path: "announcements" }),
    answer: Type.Array(AdminAnnouncementSchema),
    print: printAnnouncements,
  }),
  action({
    group,
    name: "show",
    about: "An announcement with its text and its mail.",
    takes: [ID],
    request: (given) => ({ method: "GET", path: pathOf(given) }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  action({
    group,
    name: "draft",
    about: "Makes a draft and says who would get it; sends nothing.",
    takes: WORDS,
    flags: [
      flag(
        "channels",
        "channels <LIST>",
        `${CHANNELS.join(", ")} or both, with a comma (default in_game)`,
        channels,
      ),
    ],
    request: (given) => ({
      method: "POST",
      path: "announcements/preview",
      body: draftOf(given),
    }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  action({
    group,
    name: "publish",
    about: "Shows a draft's notice to everybody, and starts its mail.",
    takes: [ID],
    request: (given) => ({ method: "POST", path: pathOf(given, "/publish"), body: {} }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
    warning: ({ id }) => ({ what: "Tells everybody, for good", whom: String(id) }),
  }),
  action({
    group,
    name: "edit",
    about: "Changes the words; mail that is on its way keeps its own.",
    takes: [ID, ...WORDS],
    request: (given) => ({ method: "PUT", path: pathOf(given), body: wordsOf(given) }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  action({
    group,
    name: "archive",
    about: "Takes a notice from the pages, or discards a draft; mail goes on.",
    takes: [ID],
    request: (given) => ({ method: "POST", path: pathOf(given, "/archive"), body: {} }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  action({
    group,
    name: "retry",
    about: "Sends its failed mail again; what is unknown may have arrived, and is left.",
    takes: [ID],
    request: (given) => ({ method: "POST", path: pathOf(given, "/retry"), body: {} }),
    answer: RetriedAnnouncementSchema,
    print: printRetry,
  }),
  action({
    group,
    name: "delete",
    about: "Deletes an announcement.",
    takes: [ID],
    request: (given) => ({ method: "DELETE", path: pathOf(given) }),
    answer: DeletedAnnouncementSchema,
    print: ({ deleted }) => [`The announcement ${deleted} is deleted.`],
    warning: ({ id }) => ({ what: "Deletes an announcement for good", whom: String(id) }),
  }),
];
