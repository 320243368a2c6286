import { Type } from "typebox";

import { isBotName } from "#core/accounts/name-rules.ts";
import { BotStyleSchema, ComparisonSchema, LossesSchema } from "#core/api/bot-record.ts";
import type { BotStyle, VersionComparison, Losses } from "#core/api/bot-record.ts";
import { PracticeSchema } from "#core/api/practice.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { findOwnBot, stateRefusal } from "#web/account/account-bot.ts";
import { PRACTICE_LIMIT } from "#web/api/practice.ts";
import type { Caller } from "#web/auth/account-lookup.ts";

import { ladderArgument, readPublicApi } from "./public-api.ts";
import type { Query } from "./public-api.ts";
import { defineTool, notFound, rateLimited } from "./tool.ts";
import type { ToolDeps, ToolError } from "./tool.ts";

const CLOSED = { additionalProperties: false };
const name = Type.String({ description: "name of the bot, case-insensitive" });
const label = (description: string) => Type.String({ description });
const season = Type.Optional(
  Type.String({ description: "YYYY-MM, preseason or current: a season of public" }),
);

const getLosses = defineTool({
  name: "get_losses",
  title: "Why a version loses",
  description:
    "Common causes of a version's losses: damage dealt and taken by source, winning bots, and maps. Covers the latest lost games that have statistics.",
  kind: "reads",
  input: Type.Object(
    { name, version: label("label of the version"), ladder: ladderArgument, season },
    CLOSED,
  ),
  output: LossesSchema,
  run: (deps, _caller, { name: bot, ...query }) => readBot<Losses>(deps, bot, "losses", query),
});

const getStyle = defineTool({
  name: "get_style",
  title: "A bot's style",
  description:
    "Any bot's style compared with all bots on the ladder: its pace and accuracy, and the uses, hits and damage of each attack.",
  kind: "reads",
  input: Type.Object({ name, ladder: ladderArgument, season }, CLOSED),
  output: BotStyleSchema,
  run: (deps, _caller, { name: bot, ...query }) => readBot<BotStyle>(deps, bot, "style", query),
});

const compareVersions = defineTool({
  name: "compare_versions",
  title: "Compare versions",
  description:
    "Compares two versions of a bot by their rated games: the rating of a minus that of b, its standard error, and the probability that a is better. Keep playing until chance_better is above 0.95 or below 0.05. Values are null until both have a rated game.",
  kind: "reads",
  input: Type.Object(
    {
      name,
      a: label("label of a version"),
      b: label("label of another version"),
      ladder: ladderArgument,
    },
    CLOSED,
  ),
  output: ComparisonSchema,
  run: (deps, _caller, { name: bot, ...query }) =>
    readBot<VersionComparison>(deps, bot, "compare", query),
});

/** The name becomes part of a path, so it must be valid. */
async function readBot<Resource extends object>(
  deps: ToolDeps,
  bot: string,
  resource: string,
  query: Query,
): Promise<Resource | ToolError> {
  if (!isBotName(bot)) return { refused: "no_such_bot" };
  return readPublicApi<Resource>(deps, `/api/bots/${bot}/${resource}`, query);
}

const requestPractice = defineTool({
  name: "request_practice",
  title: "Request a practice match",
  description: `Requests an unrated match between one of the account's bots and Starter. It starts when the bot sends queue on the ladder public, and expires after ${FIXED_LIMITS.practice_wait_s} s otherwise. For the report, use get_practice.`,
  kind: "adds",
  input: Type.Object({ name }, CLOSED),
  output: PracticeSchema,
  run: (deps, caller, args) =>
    withPlayingBot(deps, caller, args.name, ({ id }) => {
      const result = deps.arena.requestPractice(id);
      if ("practice" in result) return result.practice;
      if (result.refused !== "rate_limited") return result;
      return rateLimited({ waitS: result.waitS, text: PRACTICE_LIMIT });
    }),
});

const getPractice = defineTool({
  name: "get_practice",
  title: "Practice match report",
  description:
    "A practice match played by one of the account's bots: its state and, once done, a report with response times, failed ticks, refused actions and errors.",
  kind: "reads",
  input: Type.Object({ name, id: label("id of the practice match") }, CLOSED),
  output: PracticeSchema,
  run: (deps, caller, args) =>
    withPlayingBot(
      deps,
      caller,
      args.name,
      ({ id }) => deps.arena.practiceStatus(id, args.id) ?? notFound("practice match"),
    ),
});

/** As in the HTTP API, retired and suspended bots can't play practice matches. */
async function withPlayingBot<Result>(
  deps: ToolDeps,
  caller: Caller,
  botName: string,
  action: (bot: BotRecord) => Result,
): Promise<Result | ToolError> {
  const bot = await findOwnBot(deps, caller, botName);
  if (bot === null) return { refused: "no_such_bot" };
  const errorCode = stateRefusal(bot);
  return errorCode === null ? action(bot) : { refused: errorCode };
}

export const IMPROVEMENT_TOOLS = [
  getLosses,
  getStyle,
  compareVersions,
  requestPractice,
  getPractice,
];
