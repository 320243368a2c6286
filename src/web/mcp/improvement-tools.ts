// Tools for making a bot better: why it loses, how a bot fights, which version is better, and
// practice matches.

import { Type } from "typebox";

import { isBotName } from "#core/accounts/name.ts";
import { BotStyleSchema, ComparisonSchema, LossesSchema } from "#core/resources/bot-record.ts";
import type { BotStyle, Comparison, Losses } from "#core/resources/bot-record.ts";
import { PracticeSchema } from "#core/resources/practice.ts";
import { FIXED } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { ownBot, stateRefusal } from "#web/account/account-bot.ts";
import { PRACTICE_LIMIT } from "#web/api/practice.ts";
import type { Caller } from "#web/auth/people.ts";

import { ladder, read } from "./public-api.ts";
import type { Query } from "./public-api.ts";
import { defineTool, notFound, rateLimited } from "./tool.ts";
import type { ToolDeps, ToolRefused } from "./tool.ts";

const CLOSED = { additionalProperties: false };
const name = Type.String({ description: "name of the bot, in any letter case" });
const label = (description: string) => Type.String({ description });
const season = Type.Optional(
  Type.String({ description: "YYYY-MM, preseason or current: a season of public" }),
);

const getLosses = defineTool({
  name: "get_losses",
  title: "Why a version loses",
  about:
    "What the lost games of a version have in common: damage dealt and taken by source, the bots that won, and the maps. It adds up the newest lost games that have statistics.",
  kind: "reads",
  input: Type.Object({ name, version: label("label of the version"), ladder, season }, CLOSED),
  output: LossesSchema,
  run: (deps, _caller, { name: bot, ...query }) => readBot<Losses>(deps, bot, "losses", query),
});

const getStyle = defineTool({
  name: "get_style",
  title: "How a bot fights",
  about:
    "How any bot fights, compared with all bots of the ladder: its style, pace and accuracy, and the uses, hits and damage of each attack.",
  kind: "reads",
  input: Type.Object({ name, ladder, season }, CLOSED),
  output: BotStyleSchema,
  run: (deps, _caller, { name: bot, ...query }) => readBot<BotStyle>(deps, bot, "style", query),
});

const compareVersions = defineTool({
  name: "compare_versions",
  title: "Which version is better",
  about:
    "Compares two versions of a bot by their rated games: the rating of a minus that of b, the standard error of it, and the chance that a is better. Play on until chance_better is above 0.95 or below 0.05. Values are null until both have a rated game.",
  kind: "reads",
  input: Type.Object(
    { name, a: label("label of a version"), b: label("label of another version"), ladder },
    CLOSED,
  ),
  output: ComparisonSchema,
  run: (deps, _caller, { name: bot, ...query }) => readBot<Comparison>(deps, bot, "compare", query),
});

/** Only a valid name may be part of a path. */
async function readBot<Resource extends object>(
  deps: ToolDeps,
  bot: string,
  what: string,
  query: Query,
): Promise<Resource | ToolRefused> {
  if (!isBotName(bot)) return { refused: "no_such_bot" };
  return read<Resource>(deps, `/api/bots/${bot}/${what}`, query);
}

const requestPractice = defineTool({
  name: "request_practice",
  title: "Request a practice match",
  about: `Requests an unrated match of one of the account's bots against Starter. It begins when the bot sends queue on the ladder public, and expires after ${FIXED.practice_wait_s} s without that. get_practice has the report.`,
  kind: "adds",
  input: Type.Object({ name }, CLOSED),
  output: PracticeSchema,
  run: (deps, caller, given) =>
    withPlayingBot(deps, caller, given.name, ({ id }) => {
      const asked = deps.arena.askForPractice(id);
      if ("practice" in asked) return asked.practice;
      if (asked.refused !== "rate_limited") return asked;
      return rateLimited({ waitS: asked.waitS, text: PRACTICE_LIMIT });
    }),
});

const getPractice = defineTool({
  name: "get_practice",
  title: "Report of a practice match",
  about:
    "A practice match of one of the account's bots: its state and, when it is done, the report with response times, failed ticks, refused actions and errors.",
  kind: "reads",
  input: Type.Object({ name, id: label("id of the practice match") }, CLOSED),
  output: PracticeSchema,
  run: (deps, caller, given) =>
    withPlayingBot(
      deps,
      caller,
      given.name,
      ({ id }) => deps.arena.practiceOf(id, given.id) ?? notFound("practice match"),
    ),
});

/** Bots that are retired or suspended have no practice matches, as over HTTP. */
async function withPlayingBot<Result>(
  deps: ToolDeps,
  caller: Caller,
  botName: string,
  use: (bot: BotRecord) => Result,
): Promise<Result | ToolRefused> {
  const bot = await ownBot(deps, caller, botName);
  if (bot === null) return { refused: "no_such_bot" };
  const refused = stateRefusal(bot);
  return refused === null ? use(bot) : { refused };
}

export const IMPROVEMENT_TOOLS = [
  getLosses,
  getStyle,
  compareVersions,
  requestPractice,
  getPractice,
];
