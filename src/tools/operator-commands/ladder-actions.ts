import { Type } from "typebox";

import {
  AdminLadderSchema,
  DeletedLadderSchema,
  INVITATIONS_AT_ONCE,
  LadderDetailSchema,
  MembersSchema,
  NewInvitationSchema,
  RevokedInvitationSchema,
} from "#core/api/admin-ladder.ts";
import { LADDER_ACCESS_MODES } from "#core/ladder/ladder.ts";
import {
  parseOneOf,
  rejectValue,
  parseText,
  parseWhole,
} from "#server/configuration/flag-values.ts";
import type { FlagParser } from "#server/configuration/flag-values.ts";
import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";

import {
  ACCOUNT,
  defineAction,
  bodyWith,
  bodyWithReason,
  createFlag,
  parseInstantArgument,
  encodePathPart,
  REASON,
} from "./admin-action.ts";
import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
import type { AdminCall } from "./admin-client.ts";
import { printInvitation, printLadder, printLadders, printMembers } from "./ladder-print.ts";

const LADDER: Parameter = {
  name: "ladder",
  form: "<LADDER>",
  about: "ladder id",
  parse: parseText,
};

const group = "ladders";

const parseYesOrNo = parseOneOf(["yes", "no"]);
/** `none` removes the limit. */
const parseBound: FlagParser<string | null> = (value) =>
  value === "none" ? null : parseInstantArgument(value);

const OPENS: Parameter = {
  name: "opens",
  form: "<OPENS>",
  about: "time with its UTC offset, or none to open immediately",
  parse: parseBound,
};
const CLOSES: Parameter = {
  name: "closes",
  form: "<CLOSES>",
  about: "time with its UTC offset, or none to never close",
  parse: parseBound,
};

/** An environment variable keeps the password out of the process list and the shell history. */
const PASSWORD_VARIABLE = "BOUT_LADDER_PASSWORD";

const SETTING_FLAGS: readonly Parameter[] = [
  createFlag("name", "name <TEXT>", "display name"),
  createFlag("description", "description <TEXT>", "description text"),
  createFlag(
    "access",
    "access <KIND>",
    `${LADDER_ACCESS_MODES.join(", ")}; set the password in ${PASSWORD_VARIABLE}`,
    parseOneOf(LADDER_ACCESS_MODES),
  ),
  createFlag("visible", "visible <WHETHER>", "yes or no", parseYesOrNo),
  createFlag("enabled", "enabled <WHETHER>", "yes or no", parseYesOrNo),
];

const LIST_FLAGS: readonly Parameter[] = [
  createFlag("maps", "maps <LIST>", "comma-separated map names"),
  createFlag("house", "house <LIST>", "comma-separated short names for house bots, or none"),
];

const yesToBoolean = (value: CommandInput[string]) =>
  value === undefined ? undefined : value === "yes";

const parseList = (value: CommandInput[string]) =>
  value === undefined ? undefined : value === "none" ? [] : String(value).split(",");

function createSettings({
  called,
  name = called,
  description,
  access,
  visible,
  enabled,
}: CommandInput): object {
  const password = access === "password" ? process.env[PASSWORD_VARIABLE] : undefined;
  const settings = {
    description,
    access,
    password,
    visible: yesToBoolean(visible),
    enabled: yesToBoolean(enabled),
  };
  return { ...settings, ...(name !== undefined && { name }) };
}

const ladderPath = ({ ladder }: CommandInput, suffix = "") =>
  `ladders/${encodePathPart(ladder)}${suffix}`;

function createInviteCall(input: CommandInput): AdminCall {
  const { account, label, count, labels } = input;
  const path = ladderPath(input, "/invitations");
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

/** Labels are separated by commas. Spaces around a label are removed. */
const labelList: FlagParser<string> = (value) => {
  const labels = value.split(",").map((one) => one.trim());
  const isRight = labels.every((one) => one !== "") && labels.length <= INVITATIONS_AT_ONCE;
  return isRight
    ? labels.join(",")
    : rejectValue(`1 to ${INVITATIONS_AT_ONCE} comma-separated labels`);
};

const createMemberAction = (verb: "approve" | "revoke", about: string): AdminAction =>
  defineAction({
    group,
    name: verb,
    about,
    takes: [LADDER, ACCOUNT],
    flags: [REASON],
    request: (input) => ({
      method: "POST",
      path: ladderPath(input, `/members/${encodePathPart(input.account)}/${verb}`),
      body: verb === "revoke" ? bodyWithReason(input) : bodyWith(input),
    }),
    answer: MembersSchema,
    print: printMembers,
  });

export const LADDER_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "list",
    isDefault: true,
    about: "List ladders, including hidden ones.",
    request: () => ({ method: "GET", path: "ladders" }),
    answer: Type.Array(AdminLadderSchema),
    print: printLadders,
  }),
  defineAction({
    group,
    name: "show",
    about: "Show a ladder with its events, members and invitations.",
    takes: [LADDER],
    request: (input) => ({ method: "GET", path: ladderPath(input) }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  defineAction({
    group,
    name: "add",
    about: "Create a ladder.",
    takes: [LADDER, { name: "called", form: "<NAME>", about: "display name", parse: parseText }],
    flags: [
      ...SETTING_FLAGS.slice(1),
      createFlag("opens", "opens <INSTANT>", "opening time (default: immediately)", parseBound),
      createFlag("closes", "closes <INSTANT>", "closing time (default: never)", parseBound),
      ...LIST_FLAGS,
    ],
    request: (input) => ({
      method: "POST",
      path: "ladders",
      body: {
        id: input.ladder,
        ...createSettings(input),
        opens_at: input.opens,
        closes_at: input.closes,
        maps: parseList(input.maps),
        house: parseList(input.house),
      },
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  defineAction({
    group,
    name: "set",
    about: "Change the name, description, access, visibility or state of a ladder.",
    takes: [LADDER],
    flags: SETTING_FLAGS,
    request: (input) => ({
      method: "PUT",
      path: ladderPath(input, "/settings"),
      body: createSettings(input),
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  defineAction({
    group,
    name: "play",
    about: "Set a ladder's maps and house bots, starting with the next wave.",
    takes: [LADDER],
    flags: LIST_FLAGS,
    request: (input) => ({
      method: "PUT",
      path: ladderPath(input),
      body: { maps: parseList(input.maps), house: parseList(input.house) },
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  defineAction({
    group,
    name: "schedule",
    about: "Set when a ladder opens and closes.",
    takes: [LADDER, OPENS, CLOSES],
    request: (input) => ({
      method: "PUT",
      path: ladderPath(input, "/schedule"),
      body: { opens_at: input.opens, closes_at: input.closes },
    }),
    answer: LadderDetailSchema,
    print: printLadder,
  }),
  createMemberAction("approve", "Approve or reinstate a member."),
  createMemberAction("revoke", "Revoke a membership. The member's waiting bots leave the queue."),
  defineAction({
    group,
    name: "invite",
    about: "Create an invitation for anyone or for one account, and print its code and link.",
    takes: [LADDER, { ...ACCOUNT, form: "[ACCOUNT]" }],
    flags: [
      createFlag(
        "count",
        "count <N>",
        `create several for anyone and print their links (max ${INVITATIONS_AT_ONCE})`,
        parseWhole(1, INVITATIONS_AT_ONCE),
      ),
      createFlag("label", "label <TEXT>", "the team or person it is for; only operators see it"),
      createFlag(
        "labels",
        "labels <LIST>",
        "create one for each label in a comma-separated list, and print each link and label",
        labelList,
      ),
    ],
    request: createInviteCall,
    answer: Type.Union([NewInvitationSchema, Type.Array(NewInvitationSchema)]),
    print: printInvitation,
  }),
  defineAction({
    group,
    name: "uninvite",
    about: "Revoke an unused invitation.",
    takes: [LADDER, { name: "invitation", form: "<ID>", about: "invitation id", parse: parseText }],
    request: (input) => ({
      method: "DELETE",
      path: ladderPath(input, `/invitations/${encodePathPart(input.invitation)}`),
    }),
    answer: RevokedInvitationSchema,
    print: () => ["The invitation is revoked."],
  }),
  defineAction({
    group,
    name: "delete",
    about: "Delete a ladder that has no matches, and delete its memberships.",
    takes: [LADDER],
    flags: [REASON],
    request: ({ ladder, reason }) => ({
      method: "DELETE",
      path: ladderPath({ ladder }, reason === undefined ? "" : `?reason=${encodePathPart(reason)}`),
    }),
    answer: DeletedLadderSchema,
    print: ({ deleted }) => [`The ladder ${deleted} is deleted.`],
    warning: ({ ladder }) => ({ effect: "Deletes a ladder permanently", target: String(ladder) }),
  }),
];
