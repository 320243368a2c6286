import { Type } from "typebox";

import { BotStyleSchema } from "#core/api/bot-record.ts";
import type { BotStyle } from "#core/api/bot-record.ts";
import type { AttackName } from "#core/engine/types.ts";
import type { BotId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { damageShare, summarizeStyle, averageRates } from "#core/ladder/play-style.ts";
import type { Competition } from "#core/ladder/season.ts";
import { resolveSeason } from "#web/api/season.ts";
import { styleView } from "#web/api/style-view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import {
  okResponses,
  BotParams,
  findBot,
  ladder,
  resolveLadderId,
  season,
} from "#web/http/route-params.ts";

export function styleRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "style", null);
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder, season }),
    response: okResponses(Type.Unsafe<BotStyle | Buffer>(BotStyleSchema)),
  };
  const summary = "A bot's style: its attacks, pace and HP lost per game";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_style", summary, errorCodes, public: true };
  app.get("/api/bots/:name/style", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const season = await resolveSeason(deps, reply, ladderId, query.season);
    if (season !== undefined && "error" in season) return season;
    const live = hasSeasons(ladderId) ? deps.arena.seasons().live : null;
    const scope = { ladderId, season: season?.id ?? live };
    return cached(reply, JSON.stringify([scope, bot.id]), () => botStyle(deps, scope, bot.id));
  });
}

async function botStyle({ store }: ApiDeps, scope: Competition, botId: BotId): Promise<BotStyle> {
  const { play, weapons, competitionPace } = await store.stats.play(scope, botId);
  const style = play && summarizeStyle(play, weapons, averageRates([competitionPace]));
  return {
    ladder_id: scope.ladderId,
    season: scope.season,
    fights: style && styleView(style),
    attacks: weapons
      .filter(({ uses }) => uses > 0)
      .map(({ attack, uses, hits, damage }) => {
        const share = damageShare(damage, weapons);
        return { attack: attack as AttackName, uses, hits, damage, share };
      })
      .toSorted((a, b) => b.damage - a.damage),
  };
}
