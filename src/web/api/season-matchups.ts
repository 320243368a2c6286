import { Type } from "typebox";

import { SeasonMatchupsSchema } from "#core/api/season.ts";
import type { SeasonMatchups } from "#core/api/season.ts";
import type { BotId, VersionId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import { rankMatchups } from "#core/ladder/matchup.ts";
import type { MatchupLimits, Matchup } from "#core/ladder/matchup.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses, findBot, findVersion } from "#web/http/route-params.ts";

import { fullBotIdentity } from "./bot-identity.ts";
import { findSeason } from "./season.ts";

const SeasonParams = Type.Object({
  id: Type.String({ description: "`current`, `YYYY-MM` or `preseason`" }),
});

const countParam = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: FIXED_LIMITS.matchups_shown_max,
      default: FIXED_LIMITS.matchups_shown_default,
      description,
    }),
  );

const QuerySchema = Type.Object({
  bot: Type.String({ description: "name of the bot, case-insensitive" }),
  version: Type.Optional(Type.String({ description: "version label; default: all versions" })),
  top: countParam("max opponents in `best`"),
  bottom: countParam("max opponents in `toughest`"),
  minimum: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED_LIMITS.matchups_minimum_max,
      default: FIXED_LIMITS.matchups_minimum_default,
      description: "minimum number of games against an opponent to include it",
    }),
  ),
  all: Type.Optional(
    Type.Enum(["1"], { description: "include every opponent with enough games in both lists" }),
  ),
});

export function seasonMatchupRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "season matchups", null);
  const schema = {
    params: SeasonParams,
    querystring: QuerySchema,
    response: okResponses(Type.Unsafe<SeasonMatchups | Buffer>(SeasonMatchupsSchema)),
  };
  const summary = "A bot's best and toughest opponents in a season";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "season_matchups", summary, errorCodes, public: true };
  app.get("/api/seasons/:id/matchups", { schema, config }, async ({ params, query }, reply) => {
    const season = await findSeason(deps, params.id);
    if (season === null) return refuseNotFound(reply, "season");
    const bot = await findBot(deps, query.bot);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const version = await findVersion(deps, bot, query.version);
    if (version === null) return refuseNotFound(reply, "version");
    const { matchups_shown_default: defaultCount, matchups_minimum_default } = deps.limits();
    const { top = defaultCount, bottom = defaultCount, minimum = matchups_minimum_default } = query;
    const limits = { top, bottom, minimum, all: query.all === "1" };
    const scope = { season: season.id, botId: bot.id, versionId: version?.id };
    const key = JSON.stringify([scope, limits]);
    const response = await cached(reply, key, () => seasonMatchups(deps, scope, limits));
    return response ?? refuseWithCode(reply, "no_such_bot");
  });
}

type MatchupQuery = { season: string; botId: BotId; versionId: VersionId | undefined };

async function seasonMatchups(
  { store, arena }: ApiDeps,
  { season, botId, versionId }: MatchupQuery,
  limits: MatchupLimits,
): Promise<SeasonMatchups | null> {
  const records = await store.stats.opponents(botId, seasonCompetition(season), versionId);
  const bots = await store.bots.byIds([botId, ...records.map(({ opponentId }) => opponentId)]);
  const byId = new Map(bots.map((a) => [a.id, a]));
  const bot = byId.get(botId);
  if (bot === undefined) return null;
  const opponents = records
    .flatMap(({ opponentId, ...results }) => {
      const opponent = byId.get(opponentId);
      return opponent === undefined ? [] : [{ opponent, ...results }];
    })
    .toSorted((a, b) => (a.opponent.name < b.opponent.name ? -1 : 1));
  const { best, toughest, total, belowMinimum, hidden } = rankMatchups(opponents, limits);
  const online = arena.onlineIds();
  const row = (matchup: Matchup<Opponent>) => rowOf(matchup, online);
  const { id: _, ...identity } = fullBotIdentity(bot, online);
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
    opponent: fullBotIdentity(opponent, online),
    wins,
    losses,
    draws,
    games,
    win_rate: winRate,
  };
}
