// Two versions of a bot next to each other, as far as their games tell them apart.

import { Type } from "typebox";

import { hasSeasons } from "#core/ladder/ladder.ts";
import { chanceAboveZero } from "#core/rating/difference.ts";
import { ComparisonSchema } from "#core/resources/bot-record.ts";
import type { Comparison } from "#core/resources/bot-record.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { keepAnswers, LARGE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf, versionSought } from "#web/http/query.ts";
import { openGate } from "#web/http/read-queue.ts";

const QuerySchema = Type.Object({
  ladder,
  a: Type.String({ description: "label of a version of the bot" }),
  b: Type.String({ description: "label of another one" }),
});

/** After a comparison the matchmaker has this many times as long for its games and waves. */
const REST = 4;

export function compareRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "comparison", LARGE_MAKINGS);
  const turn = openGate(1, REST);
  const schema = {
    params: BotParams,
    querystring: QuerySchema,
    response: answers(Type.Unsafe<Comparison | Buffer>(ComparisonSchema)),
  };
  const about = "Two versions of a bot, and how sure it is which one is better";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_compare", about, refuses, public: true };
  app.get("/api/bots/:name/compare", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const first = await versionSought(deps, bot, query.a);
    const second = await versionSought(deps, bot, query.b);
    if (!first || !second) return missing(reply, "version");
    if (first.id === second.id)
      return refuseWith(reply, 400, "The query parameters 'a' and 'b' must name two versions.");
    const key = `${ladderId} ${first.id} ${second.id}`;
    return kept(reply, key, () => comparison(deps, turn, ladderId, [first, second]));
  });
}

/** Kept until the ladder's board moves. */
async function comparison(
  { arena }: ApiDeps,
  turn: ReturnType<typeof openGate>,
  ladderId: LadderId,
  [first, second]: readonly [VersionRecord, VersionRecord],
): Promise<Comparison> {
  arena.board(ladderId);
  const season = hasSeasons(ladderId) ? arena.seasons().live : null;
  const versions = [first.id, second.id] as const;
  const { games, ratings } = await turn(() => arena.compare(ladderId, versions));
  return {
    a: first.label,
    b: second.label,
    ladder_id: ladderId,
    season,
    difference: ratings && rounded(ratings.difference, 2),
    deviation: ratings && rounded(ratings.deviation, 2),
    games: [...games],
    chance_better: ratings && rounded(chanceAboveZero(ratings), 4),
  };
}

/** Adding 0 makes a negative zero positive. */
function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0;
}
