// Tools for the caller's account. They call the same functions as the account routes, so the errors
// are the same. They can't call the routes, which don't accept app tokens.

import { Type } from "typebox";

import type { AccountBot } from "#core/api/account.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/api/bot.ts";
import { OwnBotsSchema, OwnLaddersSchema, WhoamiSchema } from "#core/api/mcp.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { findOwnBot } from "#web/account/account-bot.ts";
import { accountBots, countsTowardLimit, accountStanding } from "#web/account/account-view.ts";
import { deleteOrRetireBot } from "#web/account/delete-or-retire-bot.ts";
import { registerNewBot } from "#web/account/register-bot.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { enrollOnLadder, laddersFor } from "#web/ladders/enrollment.ts";

import { defineTool, notFound, rateLimited } from "./tool.ts";
import type { ToolError, ToolDeps } from "./tool.ts";

/** Tools reject unknown arguments, because a misspelled argument would otherwise be ignored. */
const CLOSED = { additionalProperties: false };
const NO_INPUT = Type.Object({}, CLOSED);
const NAME_INPUT = Type.Object(
  { name: Type.String({ description: "name of the bot, case-insensitive" }) },
  CLOSED,
);

const whoami = defineTool({
  name: "whoami",
  title: "Your account",
  description:
    "The account that the caller acts for, its number of bots and bot limit, and addresses of the server.",
  kind: "reads",
  input: NO_INPUT,
  output: WhoamiSchema,
  run: async (deps, { account }) => {
    const { baseUrl, botEndpoint } = deps.settings;
    const bots = await deps.store.bots.listByOwners([account.id]);
    return {
      account_id: account.id,
      ...accountStanding(deps, account, bots),
      bots: bots.filter(countsTowardLimit).map(({ name }) => name),
      urls: {
        account: `${baseUrl}/account`,
        api: `${baseUrl}/api`,
        docs: `${baseUrl}/docs`,
        bot_endpoint: botEndpoint,
      },
    };
  },
});

const listMyBots = defineTool({
  name: "list_my_bots",
  title: "The account's bots",
  description:
    "All of the account's bots, including retired ones: status, online, and whether each has played. For versions and matches, use get_bot.",
  kind: "reads",
  input: NO_INPUT,
  output: OwnBotsSchema,
  run: async (deps, { account }) => {
    const bots = await accountBots(deps, await deps.store.bots.listByOwners([account.id]));
    return { bots: bots.map(withoutVersions) };
  },
});

function withoutVersions(bot: AccountBot): Omit<AccountBot, "versions"> {
  const { versions: _, ...rest } = bot;
  return rest;
}

const registerBotTool = defineTool({
  name: "register_bot",
  title: "Register a bot",
  description:
    "Registers a bot for the account. The result has its token, shown only once: keep it secret and out of messages. The bot connects to bot_endpoint with the header 'Authorization: Bearer <token>'.",
  kind: "adds",
  input: Type.Object(
    {
      name: Type.String({
        description:
          "2-24 letters, digits, hyphens or underscores (A-Z a-z 0-9 _ -), unique on the server, case-insensitive",
      }),
    },
    CLOSED,
  ),
  output: RegisteredBotSchema,
  run: async (deps, caller, { name }) => {
    const registration = await registerNewBot(deps, { kind: "account", caller }, { name });
    if ("limit" in registration) return rateLimited(registration);
    if (!("refused" in registration)) return registration.bot;
    return registration.refused === "handle_required" ? handleRequired(deps) : registration;
  },
});

/** An app can't choose a handle: that requires a person in a browser. */
const handleRequired = ({ settings }: ToolDeps): ToolError => ({
  refused: "handle_required",
  text: `The account has no handle yet. Its owner can choose one at ${settings.baseUrl}/account.`,
});

const deleteBot = defineTool({
  name: "delete_bot",
  title: "Delete an unplayed bot",
  description:
    "Permanently deletes one of the account's bots that has never played a ranked match. If it has played, the tool fails with bot_has_played: use retire_bot instead.",
  kind: "ends",
  input: NAME_INPUT,
  output: DeletedBotSchema,
  run: (deps, caller, { name }) => removeOwnBot(deps, caller, name, { retires: false }),
});

const retireBot = defineTool({
  name: "retire_bot",
  title: "Retire a bot",
  description:
    "Permanently retires one of the account's bots: it never plays again and frees its slot. Its matches stay. A bot that never played is deleted.",
  kind: "ends",
  input: NAME_INPUT,
  output: DeletedBotSchema,
  run: (deps, caller, { name }) => removeOwnBot(deps, caller, name, { retires: true }),
});

async function removeOwnBot(
  deps: ToolDeps,
  caller: Caller,
  name: string,
  options: { retires: boolean },
) {
  const bot = await findOwnBot(deps, caller, name);
  if (bot === null) return { refused: "no_such_bot" } as const;
  const result = await deleteOrRetireBot(deps, caller, bot, options);
  return "refused" in result ? result : { name: bot.name, outcome: result.outcome };
}

const listMyLadders = defineTool({
  name: "list_my_ladders",
  title: "Ladders and memberships",
  description: "The available ladders, with the account's membership in each.",
  kind: "reads",
  input: NO_INPUT,
  output: OwnLaddersSchema,
  run: async (deps, { account }) => ({
    ladders: await laddersFor(deps, account.id, DEFAULT_LADDER),
  }),
});

const enrollLadder = defineTool({
  name: "enroll_ladder",
  title: "Join a ladder",
  description:
    "Joins a ladder with the account. Every account is already a member of the ladder public. Other ladders may require an invitation or a password; send only one of them.",
  kind: "adds",
  input: Type.Object(
    {
      ladder: Type.String({ description: "id of the ladder" }),
      invitation: Type.Optional(Type.String({ description: "invitation code" })),
      password: Type.Optional(Type.String({ description: "the ladder's password" })),
    },
    CLOSED,
  ),
  output: OwnLaddersSchema,
  run: async (deps, caller, { ladder: id, ...credentials }) => {
    const ladder = deps.ladders.byId(id);
    if (ladder === null) return notFound("ladder");
    if (credentials.invitation !== undefined && credentials.password !== undefined)
      return BOTH_GIVEN;
    const outcome = await enrollOnLadder(deps, caller, ladder, credentials);
    return "limit" in outcome ? rateLimited(outcome) : outcome;
  },
});

const BOTH_GIVEN: ToolError = {
  refused: "invalid_arguments",
  text: "Send an invitation or a password, not both.",
};

export const ACCOUNT_TOOLS = [
  whoami,
  listMyBots,
  registerBotTool,
  deleteBot,
  retireBot,
  listMyLadders,
  enrollLadder,
];
