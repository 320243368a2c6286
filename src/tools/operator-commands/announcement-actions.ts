import { Type } from "typebox";

import {
  AdminAnnouncementSchema,
  DeletedAnnouncementSchema,
  RetriedAnnouncementSchema,
} from "#core/api/announcement.ts";
import { ANNOUNCEMENT_CHANNELS } from "#core/ids/announcement-states.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { rejectValue, parseText } from "#server/configuration/flag-values.ts";
import type { FlagParser } from "#server/configuration/flag-values.ts";

import { defineAction, createFlag, encodePathPart } from "./admin-action.ts";
import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
import { printAnnouncement, printAnnouncements, printRetry } from "./announcement-print.ts";

const group = "announcements";

const ID: Parameter = {
  name: "id",
  form: "<ID>",
  about: "announcement id",
  parse: parseText,
};
const TEXT_ARGUMENTS: readonly Parameter[] = [
  {
    name: "title",
    form: "<TITLE>",
    about: `one line (max ${FIXED_LIMITS.announcement_title_max} characters)`,
    parse: parseText,
  },
  {
    name: "text",
    form: "<TEXT>",
    about: `plain text (max ${FIXED_LIMITS.announcement_body_max} characters)`,
    parse: parseText,
  },
];

const parseChannels: FlagParser<string> = (value) =>
  value
    .split(",")
    .every((channel) => (ANNOUNCEMENT_CHANNELS as readonly string[]).includes(channel))
    ? value
    : rejectValue(`${ANNOUNCEMENT_CHANNELS.join(", ")} or both, separated by a comma`);

const announcementPath = ({ id }: CommandInput, suffix = "") =>
  `announcements/${encodePathPart(id)}${suffix}`;
const createTextFields = ({ title, text: body }: CommandInput) => ({ title, body });

function createDraft({ channels: channelNames = "in_game", ...input }: CommandInput): object {
  const selectedChannels = String(channelNames).split(",");
  const [in_game, email] = ANNOUNCEMENT_CHANNELS.map((channel) =>
    selectedChannels.includes(channel),
  );
  return { ...createTextFields(input), in_game, email };
}

export const ANNOUNCEMENT_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "list",
    isDefault: true,
    about: `List the latest ${FIXED_LIMITS.announcements_shown} announcements, including drafts.`,
    request: () => ({ method: "GET", path: "announcements" }),
    answer: Type.Array(AdminAnnouncementSchema),
    print: printAnnouncements,
  }),
  defineAction({
    group,
    name: "show",
    about: "Show an announcement with its text and email status.",
    takes: [ID],
    request: (input) => ({ method: "GET", path: announcementPath(input) }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  defineAction({
    group,
    name: "draft",
    about: "Create a draft and list its recipients. Sends nothing.",
    takes: TEXT_ARGUMENTS,
    flags: [
      createFlag(
        "channels",
        "channels <LIST>",
        `${ANNOUNCEMENT_CHANNELS.join(", ")} or both, separated by a comma (default: in_game)`,
        parseChannels,
      ),
    ],
    request: (input) => ({
      method: "POST",
      path: "announcements/preview",
      body: createDraft(input),
    }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  defineAction({
    group,
    name: "publish",
    about: "Publish a draft and start sending its emails.",
    takes: [ID],
    request: (input) => ({ method: "POST", path: announcementPath(input, "/publish"), body: {} }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
    warning: ({ id }) => ({
      effect: "Publishes the announcement to all recipients",
      target: String(id),
    }),
  }),
  defineAction({
    group,
    name: "edit",
    about: "Change the text. Emails that are already being sent keep the old text.",
    takes: [ID, ...TEXT_ARGUMENTS],
    request: (input) => ({
      method: "PUT",
      path: announcementPath(input),
      body: createTextFields(input),
    }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  defineAction({
    group,
    name: "archive",
    about: "Remove an announcement from the pages, or discard a draft. Emails are still sent.",
    takes: [ID],
    request: (input) => ({ method: "POST", path: announcementPath(input, "/archive"), body: {} }),
    answer: AdminAnnouncementSchema,
    print: printAnnouncement,
  }),
  defineAction({
    group,
    name: "retry",
    about:
      "Send failed emails again. Emails with an unknown outcome may have arrived and are skipped.",
    takes: [ID],
    request: (input) => ({ method: "POST", path: announcementPath(input, "/retry"), body: {} }),
    answer: RetriedAnnouncementSchema,
    print: printRetry,
  }),
  defineAction({
    group,
    name: "delete",
    about: "Delete an announcement.",
    takes: [ID],
    request: (input) => ({ method: "DELETE", path: announcementPath(input) }),
    answer: DeletedAnnouncementSchema,
    print: ({ deleted }) => [`The announcement ${deleted} is deleted.`],
    warning: ({ id }) => ({ effect: "Deletes an announcement permanently", target: String(id) }),
  }),
];
