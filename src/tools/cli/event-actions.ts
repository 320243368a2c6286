// What an operator can ask about events: rows for the commands.

import { Type } from "typebox";

import { FLAG_MODES } from "#core/events/event.ts";
import {
  AdminEventProgressSchema,
  AdminEventSchema,
  DeletedEventSchema,
  ReconciliationSchema,
  RestoredAwardSchema,
  RevokedAwardSchema,
} from "#core/resources/event.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { oneOf, refuse, text } from "#server/configuration/flag-values.ts";
import type { Reader } from "#server/configuration/flag-values.ts";

import { ACCOUNT, action, bodyWithReason, flag, instant, part, REASON } from "./admin-action.ts";
import type { AdminAction, Given, Parameter } from "./admin-action.ts";
import { CommandFailure, EXIT_USAGE } from "./command.ts";
import { printEvent, printEvents, printProgress, printReconciliation } from "./event-print.ts";

const group = "events";

const EVENT: Parameter = { name: "event", form: "<EVENT>", about: "the event's id", read: text };
const ACHIEVEMENT: Parameter = {
  name: "achievement",
  form: "<ACHIEVEMENT>",
  about: "the achievement's id",
  read: text,
};

const pathOf = ({ event }: Given, rest = "") => `events/${part(event)}${rest}`;

/** Something that changes an event, which is the answer. */
const change = (
  row: Omit<Partial<AdminAction>, "show"> & Pick<AdminAction, "name" | "about" | "request">,
) => action({ group, takes: [EVENT], ...row, answer: AdminEventSchema, print: printEvent });

const CHANGES: readonly Parameter[] = [
  flag("name", "name <TEXT>", "what it is called"),
  flag("description", "description <TEXT>", "what it is"),
  flag("timezone", "timezone <NAME>", "in which people see its times, such as Europe/Berlin"),
  flag("flagMode", "flag-mode <MODE>", FLAG_MODES.join(" or "), oneOf(FLAG_MODES)),
  flag("file", "file <FILE>", "JSON with these and `metadata` or `conditions`"),
];

function changesOf({ name, description, timezone, flagMode, file }: Given): Sent {
  const body = { name, description, timezone, flag_mode: flagMode };
  const isEmpty = Object.values({ ...body, file }).every((value) => value === undefined);
  if (isEmpty) throw new CommandFailure("it takes a flag that says what changes.", EXIT_USAGE);
  return { body: known(body), ...(file !== undefined && { json: String(file) }) };
}

type Sent = { body: object; json?: string };

/** Without the names that nothing was given for: they would hide those of a file. */
const known = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Labels by house bot. The text is checked when the call is made, so the reader keeps it. */
const approvals: Reader<string> = (value) =>
  value === "none" || value.split(",").every((pair) => APPROVAL.test(pair))
    ? value
    : refuse(`none, or BOT=LABEL with commas; bots are ${HOUSE_KINDS.join(", ")}`);
const APPROVAL = new RegExp(`^(?:${HOUSE_KINDS.join("|")})=[^=]+$`);

const approvedOf = ({ approved }: Given): object =>
  approved === "none"
    ? {}
    : Object.fromEntries(
        String(approved)
          .split(",")
          .map((pair) => pair.split("=") as [string, string]),
      );

const turn = (name: "enable" | "disable", about: string): AdminAction =>
  change({
    name,
    about,
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/settings"),
      body: { enabled: name === "enable" },
    }),
  });

const DEFINITIONS: readonly AdminAction[] = [
  action({
    group,
    name: "list",
    isDefault: true,
    about: "All events, or one with all that is known about it.",
    takes: [{ ...EVENT, form: "[EVENT]" }],
    request: () => ({ method: "GET", path: "events" }),
    answer: Type.Array(AdminEventSchema),
    print: (events, { event }) => printEvents(events, event),
  }),
  action({
    group,
    name: "add",
    about: "Makes an event, which begins disabled.",
    takes: [
      {
        name: "file",
        form: "<FILE>",
        about: "JSON: an entry of `events` in a file for --config",
        read: text,
      },
    ],
    request: ({ file }) => ({ method: "POST", path: "events", json: String(file) }),
    answer: AdminEventSchema,
    print: printEvent,
  }),
  change({
    name: "set",
    about: "Changes an event's texts, and until it opens its conditions.",
    flags: CHANGES,
    request: (given) => ({ method: "PUT", path: pathOf(given), ...changesOf(given) }),
  }),
  change({
    name: "schedule",
    about: "Sets when an event opens and closes.",
    takes: [
      EVENT,
      { name: "opens", form: "<OPENS>", about: "an instant with its offset", read: instant },
      { name: "closes", form: "<CLOSES>", about: "the same", read: instant },
    ],
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/schedule"),
      body: { opens_at: given.opens, closes_at: given.closes },
    }),
  }),
  change({
    name: "submission",
    about: "Sets where and how people hand something in.",
    takes: [
      EVENT,
      { name: "address", form: "<ADDRESS>", about: "begins with https, or none", read: text },
      { name: "instructions", form: "[TEXT]", about: "how; nothing if absent", read: text },
    ],
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/submission"),
      body: {
        submission_url: given.address === "none" ? null : given.address,
        submission_instructions: given.instructions ?? "",
      },
    }),
  }),
  change({
    name: "opponents",
    about: "Approves versions of house bots, in place of those before.",
    takes: [
      EVENT,
      {
        name: "approved",
        form: "<LIST>",
        about: "BOT=LABEL with commas, or none",
        read: approvals,
      },
    ],
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/opponents"),
      body: { approved: approvedOf(given) },
    }),
  }),
  turn("enable", "Enables an event that has all that it needs."),
  turn("disable", "Disables an event: nothing in it is earned until it is enabled."),
  change({
    name: "image",
    about: "Sets the picture of an event.",
    takes: [EVENT, { name: "file", form: "<FILE>", about: "PNG, JPEG or WebP", read: text }],
    flags: [
      flag(
        "alt",
        "alt <TEXT>",
        "what it shows, for those who do not see it; the event's name if absent",
      ),
    ],
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/image"),
      picture: {
        path: String(given.file),
        alt: given.alt === undefined ? undefined : String(given.alt),
      },
    }),
  }),
  change({
    name: "remove-image",
    about: "Takes the picture of an event away.",
    request: (given) => ({ method: "DELETE", path: pathOf(given, "/image") }),
  }),
  action({
    group,
    name: "delete",
    about: "Deletes an event in which nothing was earned.",
    takes: [EVENT],
    flags: [REASON],
    request: ({ event, reason }) => ({
      method: "DELETE",
      path: pathOf({ event }, reason === undefined ? "" : `?reason=${part(reason)}`),
    }),
    answer: DeletedEventSchema,
    print: ({ deleted }) => [`The event ${deleted} is deleted.`],
    warning: ({ event }) => ({ what: "Deletes an event for good", whom: String(event) }),
  }),
];

const awardPath = (given: Given, verb: string) =>
  pathOf(given, `/accounts/${part(given.account)}/achievements/${part(given.achievement)}/${verb}`);

const AWARD: Pick<AdminAction, "group" | "takes" | "flags"> = {
  group,
  takes: [EVENT, ACCOUNT, ACHIEVEMENT],
  flags: [REASON],
};

const AWARDS: readonly AdminAction[] = [
  action({
    group,
    name: "account",
    about: "An event as an account sees it, with the matches that count.",
    takes: [EVENT, ACCOUNT],
    request: (given) => ({
      method: "GET",
      path: pathOf(given, `/accounts/${part(given.account)}`),
    }),
    answer: AdminEventProgressSchema,
    print: printProgress,
  }),
  action({
    ...AWARD,
    name: "revoke",
    about: "Revokes what an account has earned.",
    request: (given) => ({
      method: "POST",
      path: awardPath(given, "revoke"),
      body: bodyWithReason(given),
    }),
    answer: RevokedAwardSchema,
    print: (_, { achievement, account }) => [`${achievement} of ${account} is revoked.`],
  }),
  action({
    ...AWARD,
    name: "restore",
    about: "Gives back what was revoked.",
    request: (given) => ({
      method: "POST",
      path: awardPath(given, "restore"),
      body: bodyWithReason(given),
    }),
    answer: RestoredAwardSchema,
    print: (_, { achievement, account }) => [`${account} has ${achievement} again.`],
  }),
  action({
    group,
    name: "reconcile",
    about: "Compares what was awarded with what the stored matches earn.",
    takes: [EVENT],
    flags: [flag("apply", "apply", "writes what is missing")],
    request: (given) => ({
      method: "POST",
      path: pathOf(given, "/reconcile"),
      body: { apply: given.apply === true },
    }),
    answer: ReconciliationSchema,
    print: printReconciliation,
  }),
];

export const EVENT_ACTIONS: readonly AdminAction[] = [...DEFINITIONS, ...AWARDS];
