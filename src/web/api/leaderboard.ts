import { Type } from "typebox";

import { LeaderboardRowSchema } from "#core/api/ladder.ts";
import type { LeaderboardRow } from "#core/api/ladder.ts";
import type { LadderId, SeasonId } from "#core/ids/ids.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { responseCache, LIVE_REFRESH_RATE } from "#web/http/response-cache.ts";
import { okResponses, ladder, resolveLadderId, season } from "#web/http/route-params.ts";

import { resolveSeason, seasonRows } from "./season.ts";
import { boardRows } from "./standings-entries.ts";
import type { Standings } from "./standings-entries.ts";

type LeaderboardDeps = ApiDeps & { standings: Standings };

export function leaderboardRoutes(app: App, deps: LeaderboardDeps): void {
  const cached = responseCache(deps, "leaderboard", LIVE_REFRESH_RATE);
  const schema = {
    querystring: Type.Object({ ladder, season }),
    response: okResponses(Type.Unsafe<LeaderboardRow[] | Buffer>(Type.Array(LeaderboardRowSchema))),
  };
  const summary = "Standings of a ladder, best first";
  const config = { endpoint: "leaderboard", summary, errorCodes: [404] as const, public: true };
  app.get("/api/leaderboard", { schema, config }, async ({ query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const season = await resolveSeason(deps, reply, ladderId, query.season);
    if (season !== undefined && "error" in season) return season;
    return cached(reply, `${ladderId} ${season?.id ?? ""}`, () =>
      leaderboard(deps, ladderId, season?.id),
    );
  });
}

async function leaderboard(
  deps: LeaderboardDeps,
  ladderId: LadderId,
  seasonId?: SeasonId,
): Promise<LeaderboardRow[]> {
  const { standings, arena } = deps;
  const rows =
    seasonId === undefined
      ? boardRows(await standings(ladderId), arena.onlineIds())
      : await seasonRows(deps, seasonId);
  return rows.map(({ row }) => row);
}
