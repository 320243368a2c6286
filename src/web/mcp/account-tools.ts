// Tools for the caller's account. They call what the account's routes call, so both refuse alike;
// they do not request those routes, which take no program's token.

import { Type } from "typebox";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { AccountBot } from "#core/resources/account.ts";
import { DeletedBotSchema, RegisteredBotSchema } from "#core/resources/bot.ts";
import { OwnBotsSchema, OwnLaddersSchema, WhoamiSchema } from "#core/resources/mcp.ts";
import { ownBot } from "#web/account/account-bot.ts";
import { accountBots, isKept, standingOf } from "#web/account/account-view.ts";
import { endBot } from "#web/account/end-bot.ts";
import { registerBot } from "#web/account/new-bot.ts";
import type { Caller } from "#web/auth/people.ts";
import { enroll, laddersFor } from "#web/ladders/enroll.ts";

import { defineTool, notFound, rateLimited } from "./tool.ts";
import type { ToolRefused, ToolDeps } from "./tool.ts";

/** No tool takes arguments that it does not know: a misspelt one would be ignored. */
const CLOSED = { additionalProperties: false };
const NO_INPUT = Type.Object({}, CLOSED);
const NAME_INPUT = Type.Object(
  { name: Type.String({ description: "name of the bot, in any letter case" }) },
  CLOSED,
);

const whoami = defineTool({
  name: "whoami",
  title: "Whose account this is",
  about:
    "The account that the caller acts for, how many bots it has and may have, and addresses of the ladder.",
  kind: "reads",
  input: NO_INPUT,
  output: WhoamiSchema,
  run: async (deps, { account }) => {
    const { baseUrl, botEndpoint } = deps.settings;
    const bots = await deps.store.bots.ofOwners([account.id]);
    return {
      account_id: account.id,
      ...standingOf(deps, account, bots),
      bots: bots.filter(isKept).map(({ name }) => name),
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
  about:
    "All bots of the account, retired ones too: status, whether each is online, whether it has played. get_bot has versions and matches.",
  kind: "reads",
  input: NO_INPUT,
  output: OwnBotsSchema,
  run: async (deps, { account }) => {
    const bots = await accountBots(deps, await deps.store.bots.ofOwners([account.id]));
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
  about:
    "Makes a bot of the account. The answer has its token, shown this once: keep it secret and out of messages. The bot connects to bot_endpoint with the header 'Authorization: Bearer <token>'.",
  kind: "adds",
  input: Type.Object(
    {
      name: Type.String({
        description: "2-24 of A-Z a-z 0-9 _ -, unique on the ladder in any letter case",
      }),
    },
    CLOSED,
  ),
  output: RegisteredBotSchema,
  run: async (deps, caller, { name }) => {
    const made = await registerBot(deps, { kind: "account", caller }, { name });
    if ("limit" in made) return rateLimited(made);
    if (!("refused" in made)) return made.bot;
    return made.refused === "handle_required" ? noHandle(deps) : made;
  },
});

/** A program cannot choose it: that takes a person in a browser. */
const noHandle = ({ settings }: ToolDeps): ToolRefused => ({
  refused: "handle_required",
  text: `The account has no handle yet. Its owner chooses one at ${settings.baseUrl}/account.`,
});

const deleteBot = defineTool({
  name: "delete_bot",
  title: "Delete a bot that never played",
  about:
    "Deletes a bot of the account that never played a ranked match, for good. One that has played is refused with bot_has_played: retire_bot retires it.",
  kind: "ends",
  input: NAME_INPUT,
  output: DeletedBotSchema,
  run: (deps, caller, { name }) => end(deps, caller, name, { retires: false }),
});

const retireBot = defineTool({
  name: "retire_bot",
  title: "Retire a bot",
  about:
    "Ends a bot of the account for good: it never plays again and makes room for another one. Its matches stay. A bot that never played is deleted.",
  kind: "ends",
  input: NAME_INPUT,
  output: DeletedBotSchema,
  run: (deps, caller, { name }) => end(deps, caller, name, { retires: true }),
});

async function end(deps: ToolDeps, caller: Caller, name: string, how: { retires: boolean }) {
  const bot = await ownBot(deps, caller, name);
  if (bot === null) return { refused: "no_such_bot" } as const;
  const ending = await endBot(deps, caller, bot, how);
  return "refused" in ending ? ending : { name: bot.name, outcome: ending.outcome };
}

const listMyLadders = defineTool({
  name: "list_my_ladders",
  title: "Ladders, and whether the account is on them",
  about: "The ladders that can be played on, with the account's membership of each.",
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
  about:
    "Joins a ladder with the account. Every account is on the ladder public from the start. Others may ask for an invitation or a password, one of both.",
  kind: "adds",
  input: Type.Object(
    {
      ladder: Type.String({ description: "id of the ladder" }),
      invitation: Type.Optional(Type.String({ description: "the code of an invitation" })),
      password: Type.Optional(Type.String({ description: "the ladder's password" })),
    },
    CLOSED,
  ),
  output: OwnLaddersSchema,
  run: async (deps, caller, { ladder: id, ...shown }) => {
    const ladder = deps.ladders.byId(id);
    if (ladder === null) return notFound("ladder");
    if (shown.invitation !== undefined && shown.password !== undefined) return NOT_BOTH;
    const outcome = await enroll(deps, caller, ladder, shown);
    return "limit" in outcome ? rateLimited(outcome) : outcome;
  },
});

const NOT_BOTH: ToolRefused = {
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
