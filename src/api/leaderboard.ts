import { Type } from "typebox";

import { standings } from "#ladder/standings.ts";
import { versionFigures } from "#ladder/version-record.ts";
import { LeaderboardRowSchema } from "#protocol/resource-ladder.ts";
import type { LeaderboardRow } from "#protocol/resource-ladder.ts";

import type { ApiDeps, App } from "./deps.ts";
import { missing } from "./errors.ts";
import { identityOf, onlineIds } from "./identity.ts";
import { answers, ladder, ladderOf, season } from "./query.ts";

type BoardDeps = Pick<ApiDeps, "store" | "arena" | "limits">;

export function leaderboardRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    querystring: Type.Object({ ladder, season }),
    response: answers(Type.Array(LeaderboardRowSchema)),
  };
  const config = { endpoint: "leaderboard", public: true };
  app.get("/api/leaderboard", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    if (query.season !== undefined) return missing(reply, "season");
    return leaderboard(deps, ladderId);
  });
}

/** The rows of a ladder's leaderboard, best first. */
async function leaderboard(deps: BoardDeps, ladderId: string): Promise<LeaderboardRow[]> {
  const online = onlineIds(deps);
  return (await currentStandings(deps, ladderId)).map(({ rank, bot, version, rated }) => {
    const { win_rate: _, ...figures } = versionFigures(rated);
    return { rank, ...identityOf(bot, online.has(bot.id)), version: version.label, ...figures };
  });
}

/** Who stands where now. */
export async function currentStandings({ store, arena, limits }: BoardDeps, ladderId: string) {
  const [bots, versions] = await Promise.all([store.bots(), store.versions()]);
  return standings(bots, versions, arena.board(ladderId), limits.qualifying_games);
}
