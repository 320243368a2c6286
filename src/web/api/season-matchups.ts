import { Type } from "typebox";

import { matchups } from "#core/ladder/matchup.ts";
import type { MatchupLimits, Matchup } from "#core/ladder/matchup.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import { SeasonMatchupsSchema } from "#core/resources/season.ts";
import type { SeasonMatchups } from "#core/resources/season.ts";
import type { BotId, VersionId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Results } from "#core/words/results.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, findBot, versionSought } from "#web/http/query.ts";

import { wholeIdentity } from "./identity.ts";
import { findSeason } from "./season.ts";

const SeasonParams = Type.Object({
  id: Type.String({ description: "`current`, `YYYY-MM` or `preseason`" }),
});

const shown = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: FIXED.matchups_shown_max,
      default: FIXED.matchups_shown_default,
      description,
    }),
  );

const QuerySchema = Type.Object({
  bot: Type.String({ description: "name of the bot, in any letter case" }),
  version: Type.Optional(
    Type.String({ description: "of this version of the bot; absent: of all of them" }),
  ),
  top: shown("most opponents in `best`"),
  bottom: shown("most opponents in `toughest`"),
  minimum: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.matchups_minimum_max,
      default: FIXED.matchups_minimum_default,
      description: "games that it takes to be shown",
    }),
  ),
  all: Type.Optional(
    Type.Enum(["1"], { description: "every opponent met often enough, in both lists" }),
  ),
});

export function seasonMatchupRoutes(app: App, deps: ApiDeps): void {
  const sent = keepAnswers(deps, "season matchups", null);
  const schema = {
    params: SeasonParams,
    querystring: QuerySchema,
    response: answers(Type.Unsafe<SeasonMatchups | Buffer>(SeasonMatchupsSchema)),
  };
  const about = "A bot's best and toughest opponents in a season";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "season_matchups", about, refuses, public: true };
  app.get("/api/seasons/:id/matchups", { schema, config }, async ({ params, query }, reply) => {
    const season = await findSeason(deps, params.id);
    if (season === null) return missing(reply, "season");
    const bot = await findBot(deps, query.bot);
    if (bot === null) return refuse(reply, "no_such_bot");
    const version = await versionSought(deps, bot, query.version);
    if (version === null) return missing(reply, "version");
    const { matchups_shown_default: usual, matchups_minimum_default } = deps.limits();
    const { top = usual, bottom = usual, minimum = matchups_minimum_default } = query;
    const limits = { top, bottom, minimum, all: query.all === "1" };
    const of = { season: season.id, botId: bot.id, versionId: version?.id };
    const key = JSON.stringify([of, limits]);
    const kept = await sent(reply, key, () => seasonMatchups(deps, of, limits));
    return kept ?? refuse(reply, "no_such_bot");
  });
}

type Sought = { season: string; botId: BotId; versionId: VersionId | undefined };

async function seasonMatchups(
  { store, arena }: ApiDeps,
  { season, botId, versionId }: Sought,
  limits: MatchupLimits,
): Promise<SeasonMatchups | null> {
  const met = await store.figures.opponents(botId, seasonCompetition(season), versionId);
  const bots = await store.bots.byIds([botId, ...met.map(({ opponentId }) => opponentId)]);
  const byId = new Map(bots.map((one) => [one.id, one]));
  const bot = byId.get(botId);
  if (bot === undefined) return null;
  const opponents = met
    .flatMap(({ opponentId, ...results }) => {
      const opponent = byId.get(opponentId);
      return opponent === undefined ? [] : [{ opponent, ...results }];
    })
    .toSorted((one, other) => (one.opponent.name < other.opponent.name ? -1 : 1));
  const { best, toughest, total, belowMinimum, hidden } = matchups(opponents, limits);
  const online = arena.onlineIds();
  const row = (matchup: Matchup<Opponent>) => rowOf(matchup, online);
  const { id: _, ...identity } = wholeIdentity(bot, online);
  return {
    bot: identity,
    best: best.map(row),
    toughest: toughest.map(row),
    limited: hidden > 0,
    total,
    below_minimum: belowMinimum,
    hidden,
    minimum: limits.minimum,
  };
}

type Opponent = Results & { opponent: BotRecord };

function rowOf(
  { opponent, wins, losses, draws, games, winRate }: Matchup<Opponent>,
  online: ReadonlySet<string>,
): SeasonMatchups["best"][number] {
  return {
    opponent: wholeIdentity(opponent, online),
    wins,
    losses,
    draws,
    games,
    win_rate: winRate,
  };
}
