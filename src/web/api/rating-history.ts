import { Type } from "typebox";

import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { RatingHistorySchema } from "#core/resources/bot.ts";
import type { RatingHistory } from "#core/resources/bot.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { RatingPoint, RatingQuery } from "#data/store/figures.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf } from "#web/http/query.ts";

import { findSeason } from "./season.ts";

/** An answer that counts back from now is kept until the next whole second. */
const QuerySchema = Type.Object({
  ladder,
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
    const most = deps.limits().history_days_max;
    const days = query.days === undefined ? undefined : Math.min(query.days, most);
    return kept(reply, `${bot.id} ${ladderId} ${days}`, () => {
      if (days !== undefined) second();
      return ratingHistory(deps, bot.id, ladderId, days);
    });
  });
}

async function ratingHistory(
  deps: ApiDeps,
  botId: BotId,
  ladderId: LadderId,
  days?: number,
): Promise<RatingHistory> {
  const { since, range } = await rangeOf(deps, ladderId, days);
  const { games, points } = await deps.store.figures.ratings({
    ladderId,
    botId,
    points: deps.limits().history_points,
    ...range,
  });
  return { since, games, points: points.map(toPoint) };
}

type Range = { since: string | null; range: Pick<RatingQuery, "season" | "since"> };

/** Without days the live season on public, and all there is on a ladder without seasons. */
async function rangeOf(deps: ApiDeps, ladderId: LadderId, days?: number): Promise<Range> {
  if (days !== undefined) {
    const since = new Date(deps.clock().getTime() - days * DAY_MS).toISOString();
    return { since, range: { since } };
  }
  const season = hasSeasons(ladderId) ? await findSeason(deps, "current") : null;
  return season === null
    ? { since: null, range: {} }
    : { since: season.opensAt, range: { season: season.id } };
}

function toPoint(point: RatingPoint): RatingHistory["points"][number] {
  const { matchId, ended, version, map, result, opponent, opponentVersion } = point;
  return {
    match_id: matchId,
    ended,
    version,
    rating: point.ratingAfter,
    delta: point.ratingAfter - point.ratingBefore,
    result,
    opponent: `${opponent}@${opponentVersion}`,
    opponent_display_name: `${displayName(opponent)}@${opponentVersion}`,
    map,
  };
}
