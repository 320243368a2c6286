import { Type } from "typebox";

import {
  AdminEventProgressSchema,
  AdminEventSchema,
  DeletedEventSchema,
  ReconciliationSchema,
  RestoredAwardSchema,
  RevokedAwardSchema,
} from "#core/api/event.ts";
import { FLAG_MODES } from "#core/events/event.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { parseOneOf, rejectValue, parseText } from "#server/configuration/flag-values.ts";
import type { FlagParser } from "#server/configuration/flag-values.ts";
import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";

import {
  ACCOUNT,
  defineAction,
  bodyWithReason,
  createFlag,
  parseInstantArgument,
  encodePathPart,
  REASON,
} from "./admin-action.ts";
import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
import { printEvent, printEvents, printProgress, printReconciliation } from "./event-print.ts";

const group = "events";

const EVENT: Parameter = {
  name: "event",
  form: "<EVENT>",
  about: "event id",
  parse: parseText,
};
const ACHIEVEMENT: Parameter = {
  name: "achievement",
  form: "<ACHIEVEMENT>",
  about: "achievement id",
  parse: parseText,
};

const eventPath = ({ event }: CommandInput, suffix = "") =>
  `events/${encodePathPart(event)}${suffix}`;

const defineChange = (
  row: Omit<Partial<AdminAction>, "show"> & Pick<AdminAction, "name" | "about" | "request">,
) => defineAction({ group, takes: [EVENT], ...row, answer: AdminEventSchema, print: printEvent });

const CHANGE_FLAGS: readonly Parameter[] = [
  createFlag("name", "name <TEXT>", "display name"),
  createFlag("description", "description <TEXT>", "description text"),
  createFlag(
    "timezone",
    "timezone <NAME>",
    "time zone in which times are shown, such as Europe/Berlin",
  ),
  createFlag("flagMode", "flag-mode <MODE>", FLAG_MODES.join(" or "), parseOneOf(FLAG_MODES)),
  createFlag("file", "file <FILE>", "JSON file with any of these, `metadata` or `conditions`"),
];

function createChangeBody({
  name,
  description,
  timezone,
  flagMode,
  file,
}: CommandInput): ChangeRequest {
  const body = { name, description, timezone, flag_mode: flagMode };
  const isEmpty = Object.values({ ...body, file }).every((value) => value === undefined);
  if (isEmpty)
    throw new CommandFailure(
      "no changes given. Pass at least one of --name, --description, --timezone, --flag-mode and --file.",
      EXIT_USAGE,
    );
  return { body: withoutUndefined(body), ...(file !== undefined && { json: String(file) }) };
}

type ChangeRequest = { body: object; json?: string };

/** Undefined values would override those from the file. */
const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Version labels by house bot. Checks only the format. `createApprovals` parses the text. */
const parseApprovals: FlagParser<string> = (value) =>
  value === "none" || value.split(",").every((pair) => APPROVAL_PATTERN.test(pair))
    ? value
    : rejectValue(`none, or comma-separated BOT=LABEL pairs; bots: ${HOUSE_KINDS.join(", ")}`);
const APPROVAL_PATTERN = new RegExp(`^(?:${HOUSE_KINDS.join("|")})=[^=]+$`);

const createApprovals = ({ approved }: CommandInput): object =>
  approved === "none"
    ? {}
    : Object.fromEntries(
        String(approved)
          .split(",")
          .map((pair) => pair.split("=") as [string, string]),
      );

const createToggle = (name: "enable" | "disable", about: string): AdminAction =>
  defineChange({
    name,
    about,
    request: (input) => ({
      method: "PUT",
      path: eventPath(input, "/settings"),
      body: { enabled: name === "enable" },
    }),
  });

const DEFINITION_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "list",
    isDefault: true,
    about: "List events, or show one in detail.",
    takes: [{ ...EVENT, form: "[EVENT]" }],
    request: () => ({ method: "GET", path: "events" }),
    answer: Type.Array(AdminEventSchema),
    print: (events, { event }) => printEvents(events, event),
  }),
  defineAction({
    group,
    name: "add",
    about: "Create an event, initially disabled.",
    takes: [
      {
        name: "file",
        form: "<FILE>",
        about: "JSON file in the format of an `events` entry in a --config file",
        parse: parseText,
      },
    ],
    request: ({ file }) => ({ method: "POST", path: "events", json: String(file) }),
    answer: AdminEventSchema,
    print: printEvent,
  }),
  defineChange({
    name: "set",
    about: "Change an event's text; before it opens, also its conditions.",
    flags: CHANGE_FLAGS,
    request: (input) => ({ method: "PUT", path: eventPath(input), ...createChangeBody(input) }),
  }),
  defineChange({
    name: "schedule",
    about: "Set when an event opens and closes.",
    takes: [
      EVENT,
      {
        name: "opens",
        form: "<OPENS>",
        about: "time with its UTC offset",
        parse: parseInstantArgument,
      },
      {
        name: "closes",
        form: "<CLOSES>",
        about: "time with its UTC offset",
        parse: parseInstantArgument,
      },
    ],
    request: (input) => ({
      method: "PUT",
      path: eventPath(input, "/schedule"),
      body: { opens_at: input.opens, closes_at: input.closes },
    }),
  }),
  defineChange({
    name: "submission",
    about: "Set where and how participants submit their solution.",
    takes: [
      EVENT,
      { name: "address", form: "<ADDRESS>", about: "https URL, or none", parse: parseText },
      {
        name: "instructions",
        form: "[TEXT]",
        about: "instructions (default: empty)",
        parse: parseText,
      },
    ],
    request: (input) => ({
      method: "PUT",
      path: eventPath(input, "/submission"),
      body: {
        submission_url: input.address === "none" ? null : input.address,
        submission_instructions: input.instructions ?? "",
      },
    }),
  }),
  defineChange({
    name: "opponents",
    about: "Replace the approved house bot versions.",
    takes: [
      EVENT,
      {
        name: "approved",
        form: "<LIST>",
        about: "comma-separated BOT=LABEL pairs, or none",
        parse: parseApprovals,
      },
    ],
    request: (input) => ({
      method: "PUT",
      path: eventPath(input, "/opponents"),
      body: { approved: createApprovals(input) },
    }),
  }),
  createToggle("enable", "Enable an event that is ready."),
  createToggle("disable", "Disable an event: no awards are made until it is enabled."),
  defineChange({
    name: "image",
    about: "Set an event's picture.",
    takes: [
      EVENT,
      { name: "file", form: "<FILE>", about: "PNG, JPEG or WebP file", parse: parseText },
    ],
    flags: [createFlag("alt", "alt <TEXT>", "alternative text (default: the event's name)")],
    request: (input) => ({
      method: "PUT",
      path: eventPath(input, "/image"),
      picture: {
        path: String(input.file),
        alt: input.alt === undefined ? undefined : String(input.alt),
      },
    }),
  }),
  defineChange({
    name: "remove-image",
    about: "Remove an event's picture.",
    request: (input) => ({ method: "DELETE", path: eventPath(input, "/image") }),
  }),
  defineAction({
    group,
    name: "delete",
    about: "Delete an event without awards.",
    takes: [EVENT],
    flags: [REASON],
    request: ({ event, reason }) => ({
      method: "DELETE",
      path: eventPath({ event }, reason === undefined ? "" : `?reason=${encodePathPart(reason)}`),
    }),
    answer: DeletedEventSchema,
    print: ({ deleted }) => [`The event ${deleted} is deleted.`],
    warning: ({ event }) => ({ effect: "Deletes an event permanently", target: String(event) }),
  }),
];

const awardPath = (input: CommandInput, verb: string) =>
  eventPath(
    input,
    `/accounts/${encodePathPart(input.account)}/achievements/${encodePathPart(input.achievement)}/${verb}`,
  );

const AWARD_ACTION: Pick<AdminAction, "group" | "takes" | "flags"> = {
  group,
  takes: [EVENT, ACCOUNT, ACHIEVEMENT],
  flags: [REASON],
};

const AWARD_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "account",
    about: "Show an account's progress in an event, and the matches that count.",
    takes: [EVENT, ACCOUNT],
    request: (input) => ({
      method: "GET",
      path: eventPath(input, `/accounts/${encodePathPart(input.account)}`),
    }),
    answer: AdminEventProgressSchema,
    print: printProgress,
  }),
  defineAction({
    ...AWARD_ACTION,
    name: "revoke",
    about: "Revoke an account's award.",
    request: (input) => ({
      method: "POST",
      path: awardPath(input, "revoke"),
      body: bodyWithReason(input),
    }),
    answer: RevokedAwardSchema,
    print: (_, { achievement, account }) => [`${achievement} of ${account} is revoked.`],
  }),
  defineAction({
    ...AWARD_ACTION,
    name: "restore",
    about: "Restore a revoked award.",
    request: (input) => ({
      method: "POST",
      path: awardPath(input, "restore"),
      body: bodyWithReason(input),
    }),
    answer: RestoredAwardSchema,
    print: (_, { achievement, account }) => [`${achievement} of ${account} is restored.`],
  }),
  defineAction({
    group,
    name: "reconcile",
    about: "Compare awards with stored matches.",
    takes: [EVENT],
    flags: [createFlag("apply", "apply", "add missing awards")],
    request: (input) => ({
      method: "POST",
      path: eventPath(input, "/reconcile"),
      body: { apply: input.apply === true },
    }),
    answer: ReconciliationSchema,
    print: printReconciliation,
  }),
];

export const EVENT_ACTIONS: readonly AdminAction[] = [...DEFINITION_ACTIONS, ...AWARD_ACTIONS];
