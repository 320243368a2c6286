import { Type } from "typebox";

import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { RatingHistorySchema } from "#core/resources/bot.ts";
import type { RatingHistory } from "#core/resources/bot.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { RatingPoint, RatingQuery } from "#data/store/figures.ts";
import { findSeason, seasonOf } from "#web/api/season.ts";
import type { KnownSeason } from "#web/api/season.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf, season } from "#web/http/query.ts";

/** An answer relative to the present is kept until the next whole second. */
const QuerySchema = Type.Object({
  ladder,
  season,
  days: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: "games of so many days up to now, over all seasons",
    }),
  ),
});

export function ratingRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "rating history", null);
  const second = deps.cache.revisions.watch("second", () =>
    Math.floor(deps.clock().getTime() / SECOND_MS),
  );
  const schema = {
    params: BotParams,
    querystring: QuerySchema,
    response: answers(Type.Unsafe<RatingHistory | Buffer>(RatingHistorySchema)),
  };
  const about = "How a bot's rating moved, game by game";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_ratings", about, refuses, public: true };
  app.get("/api/bots/:name/ratings", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const season = await seasonOf(deps, reply, ladderId, query.season);
    if (season !== undefined && "error" in season) return season;
    if (season !== undefined && query.days !== undefined)
      return refuseWith(reply, 400, "A rating history covers a 'season' or 'days', not both.");
    const most = deps.limits().history_days_max;
    const days = query.days === undefined ? undefined : Math.min(query.days, most);
    return kept(reply, `${bot.id} ${ladderId} ${season?.id} ${days}`, async () => {
      if (days !== undefined) second();
      const range =
        days === undefined ? await wholeRange(deps, ladderId, season) : daysUpToNow(deps, days);
      return ratingHistory(deps, bot.id, ladderId, range);
    });
  });
}

async function ratingHistory(
  deps: ApiDeps,
  botId: BotId,
  ladderId: LadderId,
  { since, within }: Range,
): Promise<RatingHistory> {
  const { games, points } = await deps.store.figures.ratings({
    ladderId,
    botId,
    points: deps.limits().history_points,
    ...within,
  });
  return { since, games, points: points.map(toPoint) };
}

type Range = { since: string | null; within: Pick<RatingQuery, "season" | "since"> };

function daysUpToNow({ clock }: ApiDeps, days: number): Range {
  const since = new Date(clock().getTime() - days * DAY_MS).toISOString();
  return { since, within: { since } };
}

/** A season of public, by default the live one; everything on a ladder without seasons. */
async function wholeRange(
  deps: ApiDeps,
  ladderId: LadderId,
  sought: KnownSeason | undefined,
): Promise<Range> {
  const season = sought ?? (hasSeasons(ladderId) ? await findSeason(deps, "current") : null);
  return season === null
    ? { since: null, within: {} }
    : { since: season.opensAt, within: { season: season.id } };
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
