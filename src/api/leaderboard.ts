import { Type } from "typebox";

import type { ApiDeps, App } from "#http/deps.ts";
import { missing } from "#http/errors.ts";
import { keepAnswers, unchanged } from "#http/kept-answer.ts";
import { answers, ladder, ladderOf, season } from "#http/query.ts";
import { PUBLIC_LADDER } from "#ladder/ladder.ts";
import { LeaderboardRowSchema } from "#protocol/resource-ladder.ts";
import type { LeaderboardRow } from "#protocol/resource-ladder.ts";

import { boardRows } from "./leaderboard-rows.ts";
import { findSeason, seasonRows } from "./season.ts";

type BoardDeps = Pick<ApiDeps, "store" | "arena" | "limits">;

export function leaderboardRoutes(app: App, deps: ApiDeps): void {
  const { store, arena } = deps;
  const kept = keepAnswers(deps.now);
  const online = unchanged(() => arena.online());
  const schema = {
    querystring: Type.Object({ ladder, season }),
    response: answers(Type.Unsafe<LeaderboardRow[] | Buffer>(Type.Array(LeaderboardRowSchema))),
  };
  const about = "Standings of a ladder, best first";
  const config = { endpoint: "leaderboard", about, refuses: [404] as const, public: true };
  app.get("/api/leaderboard", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    if (query.season !== undefined)
      return (await seasonLeaderboard(deps, ladderId, query.season)) ?? missing(reply, "season");
    const parts = [await store.bots(), await store.versions(), arena.board(ladderId), online()];
    return kept(reply, ladderId, parts, () => leaderboard(deps, ladderId));
  });
}

/** The rows of a ladder's leaderboard, best first. */
async function leaderboard(deps: BoardDeps, ladderId: string): Promise<LeaderboardRow[]> {
  return (await boardRows(deps, ladderId)).map(({ row }) => row);
}

/** Those of one season; null when the ladder has no such season. */
async function seasonLeaderboard(
  deps: BoardDeps,
  ladderId: string,
  seasonId: string,
): Promise<LeaderboardRow[] | null> {
  const found = ladderId === PUBLIC_LADDER ? await findSeason(deps, seasonId) : null;
  return found && (await seasonRows(deps, found.id)).map(({ row }) => row);
}
