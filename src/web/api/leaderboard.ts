import { Type } from "typebox";

import { LeaderboardRowSchema } from "#core/resources/ladder.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import type { LadderId, SeasonId } from "#core/words/ids.ts";
import { keepAnswers, LIVE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladder, ladderOf, season } from "#web/http/query.ts";

import { boardRows } from "./leaderboard-rows.ts";
import type { Standings } from "./leaderboard-rows.ts";
import { seasonOf, seasonRows } from "./season.ts";

type BoardDeps = ApiDeps & { standings: Standings };

export function leaderboardRoutes(app: App, deps: BoardDeps): void {
  const kept = keepAnswers(deps, "leaderboard", LIVE_MAKINGS);
  const schema = {
    querystring: Type.Object({ ladder, season }),
    response: answers(Type.Unsafe<LeaderboardRow[] | Buffer>(Type.Array(LeaderboardRowSchema))),
  };
  const about = "Standings of a ladder, best first";
  const config = { endpoint: "leaderboard", about, refuses: [404] as const, public: true };
  app.get("/api/leaderboard", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const season = await seasonOf(deps, reply, ladderId, query.season);
    if (season !== undefined && "error" in season) return season;
    return kept(reply, `${ladderId} ${season?.id ?? ""}`, () =>
      leaderboard(deps, ladderId, season?.id),
    );
  });
}

/** The rows of the leaderboard of a ladder or a season, best first. */
async function leaderboard(
  deps: BoardDeps,
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
