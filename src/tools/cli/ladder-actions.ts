// What an operator can ask about ladders: one row for each command.

import { Type } from "typebox";

import { ACCESSES } from "#core/ladder/ladder.ts";
import {
  AdminLadderSchema,
  DeletedLadderSchema,
  INVITATIONS_AT_ONCE,
  LadderDetailSchema,
  MembersSchema,
  NewInvitationSchema,
  RevokedInvitationSchema,
} from "#core/resources/admin-ladder.ts";
import { oneOf, refuse, text, whole } from "#server/configuration/flag-values.ts";
import type { Reader } from "#server/configuration/flag-values.ts";

import {
  ACCOUNT,
  action,
  bodyWith,
  bodyWithReason,
  flag,
  instant,
  part,
  REASON,
} from "./admin-action.ts";
import type { AdminAction, Given, Parameter } from "./admin-action.ts";
import type { AdminCall } from "./admin-client.ts";
import { CommandFailure, EXIT_USAGE } from "./command.ts";
import { printInvitation, printLadder, printLadders, printMembers } from "./ladder-print.ts";

const LADDER: Parameter = {
  name: "ladder",
  form: "<LADDER>",
  about: "the ladder's id",
  read: text,
};

const group = "ladders";

const yesOrNo = oneOf(["yes", "no"]);
/** `none` for no bound. */
const bound: Reader<string | null> = (value) => (value === "none" ? null : instant(value));

const OPENS: Parameter = {
  name: "opens",
  form: "<OPENS>",
  about: "an instant with its offset from UTC, or none for at once",
  read: bound,
};
const CLOSES: Parameter = {
  name: "closes",
  form: "<CLOSES>",
  about: "the same, or none for no end",
  read: bound,
};

/** The variable keeps the password out of the list of processes and the history. */
const PASSWORD_VARIABLE = "BOUT_LADDER_PASSWORD";

const SETTINGS: readonly Parameter[] = [
  flag("name", "name <TEXT>", "what it is called"),
  flag("description", "description <TEXT>", "what it is"),
  flag(
    "access",
    "access <KIND>",
    `${ACCESSES.join(", ")}; the password is in ${PASSWORD_VARIABLE}`,
    oneOf(ACCESSES),
  ),
  flag("visible", "visible <WHETHER>", "yes or no", yesOrNo),
  flag("enabled", "enabled <WHETHER>", "yes or no", yesOrNo),
];

const LISTS: readonly Parameter[] = [
  flag("maps", "maps <LIST>", "names of maps, with commas"),
  flag("house", "house <LIST>", "short names of house bots, with commas, or none"),
];

const isYes = (word: Given[string]) => (word === undefined ? undefined : word === "yes");

const listOf = (words: Given[string]) =>
  words === undefined ? undefined : words === "none" ? [] : String(words).split(",");

function settingsOf({
  called,
  name = called,
  description,
  access,
  visible,
  enabled,
}: Given): object {
  const password = access === "password" ? process.env[PASSWORD_VARIABLE] : undefined;
  const plain = { description, access, password, visible: isYes(visible), enabled: isYes(enabled) };
  return { ...plain, ...(name !== undefined && { name }) };
}

const pathOf = ({ ladder }: Given, rest = "") => `ladders/${part(ladder)}${rest}`;

function inviteCall(given: Given): AdminCall {
  const { account, label, count, labels } = given;
  const path = pathOf(given, "/invitations");
  if (count === undefined && labels === undefined)
    return { method: "POST", path, body: { account, label } };
  const batchFlag = count === undefined ? "--labels" : "--count";
  if (account !== undefined)
    return refuseUsage(`An invitation for one account can't be made with ${batchFlag}.`);
  if (label !== undefined)
    return refuseUsage(`--label can't be used with ${batchFlag}. Use --labels alone.`);
  if (count !== undefined && labels !== undefined)
    return refuseUsage("--labels makes one invitation for each label. Leave out --count.");
  const body = labels === undefined ? { count } : { labels: String(labels).split(",") };
  return { method: "POST", path: `${path}/batch`, body };
}

function refuseUsage(text: string): never {
  throw new CommandFailure(text, EXIT_USAGE);
}

/** Labels with commas between them. Space around a label is dropped. */
const labelList: Reader<string> = (value) => {
  const labels = value.split(",").map((one) => one.trim());
  const isRight = labels.every((one) => one !== "") && labels.length <= INVITATIONS_AT_ONCE;
  return isRight ? labels.join(",") : refuse(`1 to ${INVITATIONS_AT_ONCE} labels with commas`);
};

const memberAction = (verb: "approve" | "revoke", about: string): AdminAction =>
  action({
    group,
    name: verb,
    about,
    takes: [LADDER, ACCOUNT],
    flags: [REASON],
    request: (given) => ({
      method: "POST",
      path: pathOf(given, `/members/${part(given.account)}/${verb}`),
      body: verb === "revoke" ? bodyWithReason(given) : bodyWith(given),
    }),
    answer: MembersSchema,
    print: printMembers,
  });

export const LADDER_ACTIONS: readonly AdminAction[] = [
  action({
    group,
    name: "list",
    isDefault: true,
    about: "All ladders, hidden ones too.",
    request: () => ({ method: "GET", path: "ladders" }),
    answer: Type.Array(AdminLadderSchema),
    print: printLadders,
  }),
  action({
    group,
    name: "show",
    about: "A ladder with its events, members and invitations.",
    takes: [LADDER],
    request: (given) => ({ method: "GET", path: pathOf(given) }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  action({
    group,
    name: "add",
    about: "Makes a ladder.",
    takes: [LADDER, { name: "called", form: "<NAME>", about: "what it is called", read: text }],
    flags: [
      ...SETTINGS.slice(1),
      flag("opens", "opens <INSTANT>", "when it opens; at once if absent", bound),
      flag("closes", "closes <INSTANT>", "when it closes; never if absent", bound),
      ...LISTS,
    ],
    request: (given) => ({
      method: "POST",
      path: "ladders",
      body: {
        id: given.ladder,
        ...settingsOf(given),
        opens_at: given.opens,
        closes_at: given.closes,
        maps: listOf(given.maps),
        house: listOf(given.house),
      },
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  action({
    group,
    name: "set",
    about: "Changes a ladder's name, description, access, and whether it is seen and played.",
    takes: [LADDER],
    flags: SETTINGS,
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/settings"),
      body: settingsOf(given),
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  action({
    group,
    name: "play",
    about: "Sets a ladder's maps and house bots, from the next wave on.",
    takes: [LADDER],
    flags: LISTS,
    request: (given) => ({
      method: "PUT",
      path: pathOf(given),
      body: { maps: listOf(given.maps), house: listOf(given.house) },
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  action({
    group,
    name: "schedule",
    about: "Sets when a ladder opens and closes.",
    takes: [LADDER, OPENS, CLOSES],
    request: (given) => ({
      method: "PUT",
      path: pathOf(given, "/schedule"),
      body: { opens_at: given.opens, closes_at: given.closes },
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  memberAction("approve", "Makes somebody who asked, or was shown out, a member."),
  memberAction("revoke", "Ends somebody's membership; their waiting bots leave the queue."),
  action({
    group,
    name: "invite",
    about: "Makes an invitation, for anybody or one account, and prints its code and link.",
    takes: [LADDER, { ...ACCOUNT, form: "[ACCOUNT]" }],
    flags: [
      flag(
        "count",
        "count <N>",
        `makes several for anybody and prints their links, at most ${INVITATIONS_AT_ONCE}`,
        whole(1, INVITATIONS_AT_ONCE),
      ),
      flag("label", "label <TEXT>", "the team or person it is for; only operators see it"),
      flag(
        "labels",
        "labels <LIST>",
        "makes one for each label of a list with commas, and prints link and label",
        labelList,
      ),
    ],
    request: inviteCall,
    answer: Type.Union([NewInvitationSchema, Type.Array(NewInvitationSchema)]),
    print: printInvitation,
  }),
  action({
    group,
    name: "uninvite",
    about: "Takes back an invitation that is not used.",
    takes: [LADDER, { name: "invitation", form: "<ID>", about: "its id", read: text }],
    request: (given) => ({
      method: "DELETE",
      path: pathOf(given, `/invitations/${part(given.invitation)}`),
    }),
    answer: RevokedInvitationSchema,
    print: () => ["The invitation is taken back."],
  }),
  action({
    group,
    name: "delete",
    about: "Deletes a ladder on which nothing was played, with its members.",
    takes: [LADDER],
    flags: [REASON],
    request: ({ ladder, reason }) => ({
      method: "DELETE",
      path: pathOf({ ladder }, reason === undefined ? "" : `?reason=${part(reason)}`),
    }),
    answer: DeletedLadderSchema,
    print: ({ deleted }) => [`The ladder ${deleted} is deleted.`],
    warning: ({ ladder }) => ({ what: "Deletes a ladder for good", whom: String(ladder) }),
  }),
];
