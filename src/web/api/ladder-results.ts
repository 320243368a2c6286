// Results of one ladder: standings, counts, maps, highlights and rivalries.

import { Type } from "typebox";

import { hasSeasons } from "#core/ladder/ladder.ts";
import { gamesOf } from "#core/ladder/version-record.ts";
import { LadderResultsSchema } from "#core/resources/ladder-results.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import type { BotId } from "#core/words/ids.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { CompetitionFigures } from "#data/store/figures.ts";
import { keepAnswers, LARGE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { toLadder } from "./ladder.ts";
import { boardRows } from "./leaderboard-rows.ts";
import type { Standings } from "./leaderboard-rows.ts";
import { contestantsOf, highlightsOf, mentions, rivalriesOf } from "./season-results.ts";

type ResultDeps = ApiDeps & { standings: Standings };

const ParamsSchema = Type.Object({ id: Type.String({ description: "id of the ladder" }) });

export function ladderResultRoutes(app: App, deps: ResultDeps): void {
  const kept = keepAnswers(deps, "ladder results", LARGE_MAKINGS);
  const schema = {
    params: ParamsSchema,
    response: answers(Type.Unsafe<LadderResults | Buffer>(LadderResultsSchema)),
  };
  const about = "A ladder with its standings, counts, highlights and rivalries";
  const config = { endpoint: "ladder_results", about, refuses: [404] as const, public: true };
  app.get("/api/ladders/:id/results", { schema, config }, async ({ params }, reply) => {
    const found = deps.ladders.byId(params.id);
    if (found === null) return missing(reply, "ladder");
    const ladder = toLadder(found, deps.clock().toISOString());
    return kept(reply, JSON.stringify(ladder), () => ladderResults(deps, ladder));
  });
}

/** On a ladder with seasons, the results of the live one. */
async function ladderResults(deps: ResultDeps, ladder: Ladder): Promise<LadderResults> {
  const { store, arena } = deps;
  const ladderId = ladder.id;
  const competition = { ladderId, season: hasSeasons(ladderId) ? arena.seasons().live : null };
  const [places, figures] = await Promise.all([
    deps.standings(ladderId),
    store.figures.competition(competition, deps.limits().rivalries_shown),
  ]);
  const rows = boardRows(places, arena.onlineIds());
  const byId = await contestantsOf(store, rows, figures);
  return {
    ladder,
    events: [],
    standings: rows.map(({ botId, row }) => ({ ...row, avatar: byId.get(botId)?.avatar ?? null })),
    totals: totalsOf(figures, byId),
    maps: mapsOf(figures),
    highlights: await highlightsOf(deps, figures),
    rivalries: rivalriesOf(figures, mentions(byId)),
  };
}

/** Each rated game is in the results of both its bots. */
const BOTS_OF_A_GAME = 2;

function totalsOf(
  { totals, maps }: CompetitionFigures,
  bots: ReadonlyMap<string, BotRecord>,
): LadderResults["totals"] {
  const isHouse = (botId: BotId) => bots.get(botId)?.house === true;
  const contestants = [...new Set(maps.map(({ botId }) => botId))];
  const winsOf = (house: boolean) =>
    sum(maps.filter(({ botId }) => isHouse(botId) === house).map(({ wins }) => wins));
  return {
    games: totals.games,
    rated: sum(maps.map(gamesOf)) / BOTS_OF_A_GAME,
    voided: totals.voided,
    draws: totals.draws,
    player_bots: contestants.filter((id) => !isHouse(id)).length,
    contestants: contestants.length,
    player_wins: winsOf(false),
    house_wins: winsOf(true),
  };
}

function mapsOf({ maps }: CompetitionFigures): LadderResults["maps"] {
  const played = [...Map.groupBy(maps, ({ map }) => map)].map(([map, results]) => {
    return { map, games: sum(results.map(gamesOf)) / BOTS_OF_A_GAME };
  });
  return played.toSorted((one, other) => other.games - one.games || (one.map < other.map ? -1 : 1));
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
