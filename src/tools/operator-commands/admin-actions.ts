import { Type } from "typebox";

import { ROLES } from "#core/accounts/account.ts";
import {
  AdminAccountSchema,
  AdminAccountsSchema,
  AdminSchema,
  BotStatusSchema,
  NewOwnerSchema,
  OverviewSchema,
  KeyOwnerSchema,
  RemovedAccountSchema,
  RoleSchema,
} from "#core/api/admin.ts";
import { FIXED_LIMITS, LIMIT_TABLE } from "#core/limits/limits.ts";
import {
  parseOneOf,
  rejectValue,
  parseText,
  parseWhole,
} from "#server/configuration/flag-values.ts";
import type { FlagParser } from "#server/configuration/flag-values.ts";

import { ACCOUNT, defineAction, bodyWith, encodePathPart, REASON } from "./admin-action.ts";
import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
import type { AdminCall } from "./admin-client.ts";
import {
  printAccount,
  printAccounts,
  printAdmins,
  printBots,
  printBotStatus,
  printNewOwner,
  printOverview,
  printOwners,
  printRemoved,
  printRole,
} from "./admin-print.ts";
import { ANNOUNCEMENT_ACTIONS } from "./announcement-actions.ts";
import { EVENT_ACTIONS } from "./event-actions.ts";
import { HEALTH_ACTIONS } from "./health-actions.ts";
import { LADDER_ACTIONS } from "./ladder-actions.ts";
import { MAIL_ACTIONS } from "./mail-actions.ts";
import { PROFILING_ACTIONS } from "./profiling-actions.ts";
import { REPORT_ACTIONS } from "./report-actions.ts";
import { SETTINGS_ACTIONS } from "./settings-actions.ts";
import { SIGN_UP_ACTIONS } from "./sign-up-actions.ts";

const BOT: Parameter = { name: "bot", form: "<NAME>", about: "the bot's name", parse: parseText };
const createBotAction = (verb: "suspend" | "activate" | "ban", about: string): AdminAction =>
  defineAction({
    group: "bots",
    name: verb,
    about,
    takes: [BOT],
    flags: [REASON],
    request: (input) => ({
      method: "POST",
      path: `bots/${encodePathPart(input.bot)}/${verb}`,
      body: bodyWith(input),
    }),
    answer: BotStatusSchema,
    print: printBotStatus,
    warning:
      verb === "ban"
        ? ({ bot }) => ({ effect: "Bans a bot permanently", target: String(bot) })
        : null,
  });

const createAccountAction = (
  row: Pick<AdminAction, "name" | "about"> & Partial<AdminAction>,
  method: AdminCall["method"] = "POST",
  createExtraFields: (input: CommandInput) => object = () => ({}),
): AdminAction =>
  defineAction({
    group: "accounts",
    takes: [ACCOUNT],
    flags: [REASON],
    request: (input) => ({
      method,
      path: `accounts/${encodePathPart(input.account)}/${row.name}`,
      body: bodyWith(input, createExtraFields(input)),
    }),
    ...row,
    answer: AdminAccountSchema,
    print: printAccount,
  });

const { most: MAX_BOTS_PER_OWNER } = LIMIT_TABLE.bots_per_owner;
const parseBotCount = parseWhole(0, MAX_BOTS_PER_OWNER);
/** Null restores the server's default. */
const parseBotCountOrDefault: FlagParser<number | null> = (value) => {
  if (value === "default") return null;
  return /^\d+$/.test(value)
    ? parseBotCount(value)
    : rejectValue(`default, or a number up to ${MAX_BOTS_PER_OWNER}`);
};

/** The `list` command of a group. `print` formats the matching accounts. */
const createAccountSearch = (
  group: "accounts" | "bots",
  about: string,
  print: typeof printAccounts,
): AdminAction =>
  defineAction({
    group,
    name: "list",
    isDefault: true,
    about,
    takes: [
      {
        name: "q",
        form: "[TEXT]",
        about: "part of a handle or bot name, a full id, or a full email",
        parse: parseText,
      },
    ],
    flags: [
      {
        name: "limit",
        form: "--limit <N>",
        about: `max number of accounts (default ${FIXED_LIMITS.accounts_list_default})`,
        parse: parseWhole(1, FIXED_LIMITS.accounts_list_max),
      },
    ],
    request: ({ q, limit }) => {
      const query = new URLSearchParams();
      if (q !== undefined) query.set("q", String(q));
      if (limit !== undefined) query.set("limit", String(limit));
      return { method: "GET", path: `accounts?${query}` };
    },
    answer: AdminAccountsSchema,
    print,
  });

export const ADMIN_ACTIONS: readonly AdminAction[] = [
  defineAction({
    name: "overview",
    about: "Show problems, matches, moderated bots and accounts, and recent audit entries.",
    request: () => ({ method: "GET", path: "overview" }),
    answer: OverviewSchema,
    print: printOverview,
  }),
  createAccountSearch("bots", "List bots, newest account first.", printBots),
  createBotAction("suspend", "Suspend a bot until it is activated."),
  createBotAction("activate", "Let a suspended bot play again."),
  createBotAction("ban", "Ban a bot permanently."),
  createAccountSearch("accounts", "List accounts, newest first.", printAccounts),
  defineAction({
    group: "accounts",
    name: "role",
    about: "Set an account's role: admin or player.",
    takes: [
      ACCOUNT,
      { name: "role", form: "<ROLE>", about: ROLES.join(" or "), parse: parseOneOf(ROLES) },
    ],
    flags: [REASON],
    request: (input) => ({
      method: "POST",
      path: `accounts/${encodePathPart(input.account)}/role`,
      body: bodyWith(input, { role: input.role }),
    }),
    answer: RoleSchema,
    print: printRole,
  }),
  ...SIGN_UP_ACTIONS,
  createAccountAction({ name: "ban", about: "Ban an account and its bots." }),
  createAccountAction({ name: "unban", about: "Lift an account's ban." }),
  createAccountAction(
    {
      name: "max-bots",
      about: "Set an account's bot limit.",
      takes: [
        ACCOUNT,
        {
          name: "most",
          form: "<N>",
          about: "a number, or default for the server setting",
          parse: parseBotCountOrDefault,
        },
      ],
    },
    "PUT",
    ({ most }) => ({ max_bots: most }),
  ),
  createAccountAction({
    name: "sign-out",
    about: "End an account's sessions, agent keys and app authorizations. Its bots keep playing.",
    warning: ({ account }) => ({
      effect: "Ends all of an account's sessions, agent keys and app authorizations",
      target: String(account),
    }),
  }),
  defineAction({
    group: "accounts",
    name: "delete",
    about: "Delete an account permanently and ban its bots that have played.",
    takes: [ACCOUNT],
    flags: [REASON],
    request: ({ account, reason }) => ({
      method: "DELETE",
      path: `accounts/${encodePathPart(account)}${reason === undefined ? "" : `?reason=${encodePathPart(reason)}`}`,
    }),
    answer: RemovedAccountSchema,
    print: printRemoved,
    warning: ({ account }) => ({
      effect: "Deletes an account permanently",
      target: String(account),
    }),
  }),
  defineAction({
    name: "admins",
    about: "List admins.",
    request: () => ({ method: "GET", path: "admins" }),
    answer: Type.Array(AdminSchema),
    print: printAdmins,
  }),
  defineAction({
    group: "owners",
    name: "list",
    isDefault: true,
    about: "List owners without an account that have a key, with their bots.",
    request: () => ({ method: "GET", path: "owners" }),
    answer: Type.Array(KeyOwnerSchema),
    print: printOwners,
  }),
  defineAction({
    group: "owners",
    name: "add",
    about: "Create an owner without an account and print its key.",
    takes: [
      {
        name: "name",
        form: "<NAME>",
        about: "owner name shown for the bots",
        parse: parseText,
      },
      { name: "most", form: "<N>", about: "bot limit", parse: parseBotCount },
    ],
    request: ({ name, most }) => ({
      method: "POST",
      path: "owners",
      body: { name, max_bots: most },
    }),
    answer: NewOwnerSchema,
    print: printNewOwner,
  }),
  ...LADDER_ACTIONS,
  ...EVENT_ACTIONS,
  ...REPORT_ACTIONS,
  ...SETTINGS_ACTIONS,
  ...ANNOUNCEMENT_ACTIONS,
  ...HEALTH_ACTIONS,
  ...MAIL_ACTIONS,
  ...PROFILING_ACTIONS,
];
