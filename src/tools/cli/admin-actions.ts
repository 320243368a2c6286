// What an operator can ask of a ladder: one row for each command.

import { Type } from "typebox";

import { ROLES } from "#core/accounts/account.ts";
import {
  AdminAccountSchema,
  AdminAccountsSchema,
  AdminSchema,
  BotStatusSchema,
  NewOwnerSchema,
  OverviewSchema,
  OwnerSchema,
  RemovedAccountSchema,
  RoleSchema,
} from "#core/resources/admin.ts";
import { FIXED, LIMIT_TABLE } from "#core/words/limits.ts";
import { oneOf, refuse, text, whole } from "#server/configuration/flag-values.ts";
import type { Reader } from "#server/configuration/flag-values.ts";
import { ANNOUNCEMENT_ACTIONS } from "#tools/operator/announcement-actions.ts";
import { HEALTH_ACTIONS } from "#tools/operator/health-actions.ts";
import { MAIL_ACTIONS } from "#tools/operator/mail-actions.ts";
import { PROFILING_ACTIONS } from "#tools/operator/profiling-actions.ts";
import { REPORT_ACTIONS } from "#tools/operator/report-actions.ts";
import { SETTINGS_ACTIONS } from "#tools/operator/settings-actions.ts";
import { SIGN_UP_ACTIONS } from "#tools/operator/sign-up-actions.ts";

import { ACCOUNT, action, bodyWith, part, REASON } from "./admin-action.ts";
import type { AdminAction, Given, Parameter } from "./admin-action.ts";
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
import { EVENT_ACTIONS } from "./event-actions.ts";
import { LADDER_ACTIONS } from "./ladder-actions.ts";

const BOT: Parameter = { name: "bot", form: "<NAME>", about: "the bot's name", read: text };
const botAction = (verb: "suspend" | "activate" | "ban", about: string): AdminAction =>
  action({
    group: "bots",
    name: verb,
    about,
    takes: [BOT],
    flags: [REASON],
    request: (given) => ({
      method: "POST",
      path: `bots/${part(given.bot)}/${verb}`,
      body: bodyWith(given),
    }),
    answer: BotStatusSchema,
    print: printBotStatus,
    warning:
      verb === "ban" ? ({ bot }) => ({ what: "Bans a bot for good", whom: String(bot) }) : null,
  });

/** Something done to one account, which is the answer. */
const accountAction = (
  row: Pick<AdminAction, "name" | "about"> & Partial<AdminAction>,
  method: AdminCall["method"] = "POST",
  more: (given: Given) => object = () => ({}),
): AdminAction =>
  action({
    group: "accounts",
    takes: [ACCOUNT],
    flags: [REASON],
    request: (given) => ({
      method,
      path: `accounts/${part(given.account)}/${row.name}`,
      body: bodyWith(given, more(given)),
    }),
    ...row,
    answer: AdminAccountSchema,
    print: printAccount,
  });

const { most: MOST_BOTS } = LIMIT_TABLE.bots_per_owner;
const botCount = whole(0, MOST_BOTS);
/** Null for what the settings say. */
const botCountOrDefault: Reader<number | null> = (value) => {
  if (value === "default") return null;
  return /^\d+$/.test(value) ? botCount(value) : refuse(`default, or a number up to ${MOST_BOTS}`);
};

/** `list` of a group: what `print` shows of the accounts that match. */
const accountSearch = (
  group: "accounts" | "bots",
  about: string,
  print: typeof printAccounts,
): AdminAction =>
  action({
    group,
    name: "list",
    isDefault: true,
    about,
    takes: [
      {
        name: "q",
        form: "[TEXT]",
        about: "part of a handle or of a bot's name, a whole id, or a whole address",
        read: text,
      },
    ],
    flags: [
      {
        name: "limit",
        form: "--limit <N>",
        about: `how many accounts (default ${FIXED.accounts_list_default})`,
        read: whole(1, FIXED.accounts_list_max),
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
  action({
    name: "overview",
    about: "What goes on, whom operators dealt with, and the latest of the audit.",
    request: () => ({ method: "GET", path: "overview" }),
    answer: OverviewSchema,
    print: printOverview,
  }),
  accountSearch("bots", "Bots of accounts, newest account first.", printBots),
  botAction("suspend", "Stops a bot until it is activated."),
  botAction("activate", "Lets a suspended bot play again."),
  botAction("ban", "Stops a bot for good."),
  accountSearch("accounts", "Accounts, newest first.", printAccounts),
  action({
    group: "accounts",
    name: "role",
    about: "Makes an account an admin, or a player again.",
    takes: [
      ACCOUNT,
      { name: "role", form: "<ROLE>", about: ROLES.join(" or "), read: oneOf(ROLES) },
    ],
    flags: [REASON],
    request: (given) => ({
      method: "POST",
      path: `accounts/${part(given.account)}/role`,
      body: bodyWith(given, { role: given.role }),
    }),
    answer: RoleSchema,
    print: printRole,
  }),
  ...SIGN_UP_ACTIONS,
  accountAction({ name: "ban", about: "Bans an account, and with it its bots." }),
  accountAction({ name: "unban", about: "Lifts the ban of an account." }),
  accountAction(
    {
      name: "max-bots",
      about: "Sets how many bots an account may have.",
      takes: [
        ACCOUNT,
        {
          name: "most",
          form: "<N>",
          about: "default for what the settings say",
          read: botCountOrDefault,
        },
      ],
    },
    "PUT",
    ({ most }) => ({ max_bots: most }),
  ),
  accountAction({
    name: "sign-out",
    about: "Ends an account's sessions, keys and programs; its bots go on.",
    warning: ({ account }) => ({
      what: "Ends all sessions, keys and programs of an account for good",
      whom: String(account),
    }),
  }),
  action({
    group: "accounts",
    name: "delete",
    about: "Removes an account for good, and bans its bots that have played.",
    takes: [ACCOUNT],
    flags: [REASON],
    request: ({ account, reason }) => ({
      method: "DELETE",
      path: `accounts/${part(account)}${reason === undefined ? "" : `?reason=${part(reason)}`}`,
    }),
    answer: RemovedAccountSchema,
    print: printRemoved,
    warning: ({ account }) => ({
      what: "Removes an account for good",
      whom: String(account),
    }),
  }),
  action({
    name: "admins",
    about: "Who is an admin.",
    request: () => ({ method: "GET", path: "admins" }),
    answer: Type.Array(AdminSchema),
    print: printAdmins,
  }),
  action({
    group: "owners",
    name: "list",
    isDefault: true,
    about: "Owners without an account who have a key, and their bots.",
    request: () => ({ method: "GET", path: "owners" }),
    answer: Type.Array(OwnerSchema),
    print: printOwners,
  }),
  action({
    group: "owners",
    name: "add",
    about: "Makes an owner without an account, and prints its key.",
    takes: [
      { name: "name", form: "<NAME>", about: "what the bots show as their owner", read: text },
      { name: "most", form: "<N>", about: "how many bots it may have", read: botCount },
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
