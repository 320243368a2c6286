import { Type } from "typebox";

import { DAY_MS, SECOND_MS } from "#base/util/time.ts";
import { RatingHistorySchema } from "#core/api/bot.ts";
import type { RatingHistory } from "#core/api/bot.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { RatingPoint, RatingHistoryQuery } from "#data/store/stats.ts";
import { findSeason, resolveSeason } from "#web/api/season.ts";
import type { KnownSeason } from "#web/api/season.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import {
  okResponses,
  BotParams,
  findBot,
  ladder,
  resolveLadderId,
  season,
} from "#web/http/route-params.ts";

/** Responses for the last `days` are cached until the next whole second. */
const QuerySchema = Type.Object({
  ladder,
  season,
  days: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: "number of past days to cover, across all seasons",
    }),
  ),
});

export function ratingRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "rating history", null);
  const watchSecond = deps.cache.revisions.watch("second", () =>
    Math.floor(deps.clock().getTime() / SECOND_MS),
  );
  const schema = {
    params: BotParams,
    querystring: QuerySchema,
    response: okResponses(Type.Unsafe<RatingHistory | Buffer>(RatingHistorySchema)),
  };
  const summary = "A bot's rating history, game by game";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_ratings", summary, errorCodes, public: true };
  app.get("/api/bots/:name/ratings", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const season = await resolveSeason(deps, reply, ladderId, query.season);
    if (season !== undefined && "error" in season) return season;
    if (season !== undefined && query.days !== undefined)
      return refuseWithStatus(
        reply,
        400,
        "A rating history can cover a 'season' or 'days', not both.",
      );
    const maxDays = deps.limits().history_days_max;
    const days = query.days === undefined ? undefined : Math.min(query.days, maxDays);
    return cached(reply, `${bot.id} ${ladderId} ${season?.id} ${days}`, async () => {
      if (days !== undefined) watchSecond();
      const range =
        days === undefined ? await seasonRange(deps, ladderId, season) : lastDays(deps, days);
      return ratingHistory(deps, bot.id, ladderId, range);
    });
  });
}

async function ratingHistory(
  deps: ApiDeps,
  botId: BotId,
  ladderId: LadderId,
  { since, filter }: Range,
): Promise<RatingHistory> {
  const { games, points } = await deps.store.stats.ratings({
    ladderId,
    botId,
    points: deps.limits().history_points,
    ...filter,
  });
  return { since, games, points: points.map(toPoint) };
}

type Range = { since: string | null; filter: Pick<RatingHistoryQuery, "season" | "since"> };

function lastDays({ clock }: ApiDeps, days: number): Range {
  const since = new Date(clock().getTime() - days * DAY_MS).toISOString();
  return { since, filter: { since } };
}

/**
 * Returns the requested season, or the live season by default. On a ladder without seasons, returns
 * all games.
 */
async function seasonRange(
  deps: ApiDeps,
  ladderId: LadderId,
  requestedSeason: KnownSeason | undefined,
): Promise<Range> {
  const season =
    requestedSeason ?? (hasSeasons(ladderId) ? await findSeason(deps, "current") : null);
  return season === null
    ? { since: null, filter: {} }
    : { since: season.opensAt, filter: { season: season.id } };
}

function toPoint(point: RatingPoint): RatingHistory["points"][number] {
  const { matchId, ended, version, map, result, opponent, opponentVersion } = point;
  const { deviationAfter: deviation } = point;
  return {
    match_id: matchId,
    ended,
    version,
    rating: point.ratingAfter,
    rating_deviation: deviation === null ? null : Math.round(deviation),
    delta: point.ratingAfter - point.ratingBefore,
    result,
    opponent: `${opponent}@${opponentVersion}`,
    opponent_display_name: `${displayName(opponent)}@${opponentVersion}`,
    map,
  };
}
