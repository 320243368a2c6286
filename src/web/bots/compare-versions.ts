import { Type } from "typebox";

import { ComparisonSchema } from "#core/api/bot-record.ts";
import type { VersionComparison } from "#core/api/bot-record.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { chanceAboveZero } from "#core/rating/rating-difference.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { openSemaphore } from "#web/http/read-queue.ts";
import { responseCache, LARGE_REFRESH_RATE } from "#web/http/response-cache.ts";
import {
  okResponses,
  BotParams,
  findBot,
  ladder,
  resolveLadderId,
  findVersion,
} from "#web/http/route-params.ts";

const QuerySchema = Type.Object({
  ladder,
  a: Type.String({ description: "label of one of the bot's versions" }),
  b: Type.String({ description: "label of the version to compare with" }),
});

/** Pause after a comparison, as a multiple of its duration. Leaves time for pairing and waves. */
const COOLDOWN_FACTOR = 4;

export function compareRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "comparison", LARGE_REFRESH_RATE);
  const compareSemaphore = openSemaphore(1, COOLDOWN_FACTOR);
  const schema = {
    params: BotParams,
    querystring: QuerySchema,
    response: okResponses(Type.Unsafe<VersionComparison | Buffer>(ComparisonSchema)),
  };
  const summary = "Compares two versions of a bot: which is better, and how certain that is";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_compare", summary, errorCodes, public: true };
  app.get("/api/bots/:name/compare", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const first = await findVersion(deps, bot, query.a);
    const second = await findVersion(deps, bot, query.b);
    if (!first || !second) return refuseNotFound(reply, "version");
    if (first.id === second.id)
      return refuseWithStatus(
        reply,
        400,
        "The query parameters 'a' and 'b' must name two different versions.",
      );
    const key = `${ladderId} ${first.id} ${second.id}`;
    return cached(reply, key, () => comparison(deps, compareSemaphore, ladderId, [first, second]));
  });
}

/** Reads the board first, so that the cached comparison expires when the board changes. */
async function comparison(
  { arena }: ApiDeps,
  compareSemaphore: ReturnType<typeof openSemaphore>,
  ladderId: LadderId,
  [first, second]: readonly [VersionRecord, VersionRecord],
): Promise<VersionComparison> {
  arena.board(ladderId);
  const season = hasSeasons(ladderId) ? arena.seasons().live : null;
  const versions = [first.id, second.id] as const;
  const { games, ratings } = await compareSemaphore(() =>
    arena.compareVersions(ladderId, versions),
  );
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

/** Adding 0 turns negative zero into zero. */
function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0;
}
