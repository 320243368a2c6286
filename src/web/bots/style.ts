// How a bot fights: its attacks and its pace, compared with all bots of the same standings.

import { Type } from "typebox";

import type { AttackName } from "#core/engine/types.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { Competition } from "#core/ladder/season.ts";
import { shareOfDamage, styleOf, usualRates } from "#core/ladder/style.ts";
import { BotStyleSchema } from "#core/resources/bot-record.ts";
import type { BotStyle } from "#core/resources/bot-record.ts";
import type { BotId } from "#core/words/ids.ts";
import { seasonOf } from "#web/api/season.ts";
import { styleAnswer } from "#web/api/style.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf, season } from "#web/http/query.ts";

export function styleRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "style", null);
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder, season }),
    response: answers(Type.Unsafe<BotStyle | Buffer>(BotStyleSchema)),
  };
  const about = "How a bot fights: its attacks, its pace and what a game costs it";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_style", about, refuses, public: true };
  app.get("/api/bots/:name/style", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const asked = await seasonOf(deps, reply, ladderId, query.season);
    if (asked !== undefined && "error" in asked) return asked;
    const live = hasSeasons(ladderId) ? deps.arena.seasons().live : null;
    const of = { ladderId, season: asked?.id ?? live };
    return kept(reply, JSON.stringify([of, bot.id]), () => botStyle(deps, of, bot.id));
  });
}

async function botStyle({ store }: ApiDeps, of: Competition, botId: BotId): Promise<BotStyle> {
  const { play, weapons, all } = await store.figures.play(of, botId);
  const style = play && styleOf(play, weapons, usualRates([all]));
  return {
    ladder_id: of.ladderId,
    season: of.season,
    fights: style && styleAnswer(style),
    attacks: weapons
      .filter(({ uses }) => uses > 0)
      .map(({ attack, uses, hits, damage }) => {
        const share = shareOfDamage(damage, weapons);
        return { attack: attack as AttackName, uses, hits, damage, share };
      })
      .toSorted((one, other) => other.damage - one.damage),
  };
}
