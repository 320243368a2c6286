// What was played on one ladder: standings, counts, maps, highlights, rivalries.

import { Type } from "typebox";

import { LadderResultsSchema } from "#core/resources/ladder-results.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import type { SeasonId } from "#core/words/ids.ts";
import type { LadderFigures } from "#data/store/figures.ts";
import { keepAnswers, LARGE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, brief, season } from "#web/http/query.ts";

import { publicEvents, toLadder } from "./ladder.ts";
import { boardRows } from "./leaderboard-rows.ts";
import type { Standings } from "./leaderboard-rows.ts";
import { botsIn, highlightsOf, mentions, rivalriesOf } from "./season-results.ts";
import { seasonOf, seasonRows } from "./season.ts";

type ResultDeps = ApiDeps & { standings: Standings };

const ParamsSchema = Type.Object({ id: Type.String({ description: "id of the ladder" }) });

export function ladderResultRoutes(app: App, deps: ResultDeps): void {
  const kept = keepAnswers(deps, "ladder results", LARGE_MAKINGS);
  const schema = {
    params: ParamsSchema,
    querystring: Type.Object({ season, brief }),
    response: answers(Type.Unsafe<LadderResults | Buffer>(LadderResultsSchema)),
  };
  const about = "A ladder with its standings, counts, highlights and rivalries";
  const config = { endpoint: "ladder_results", about, refuses: [404] as const, public: true };
  app.get("/api/ladders/:id/results", { schema, config }, async ({ params, query }, reply) => {
    const found = deps.ladders.byId(params.id);
    if (found === null) return missing(reply, "ladder");
    const season = await seasonOf(deps, reply, found.id, query.season);
    if (season !== undefined && "error" in season) return season;
    const ladder = toLadder(found, deps.clock().toISOString(), deps.events);
    const { id, state } = season ?? {};
    const isBrief = query.brief !== undefined;
    return kept(reply, JSON.stringify([ladder, id, state, isBrief]), () =>
      ladderResults(deps, ladder, { season: id, isBrief }),
    );
  });
}

/** Of one season, or of all there was, with the standings of the live one. */
async function ladderResults(
  deps: ResultDeps,
  ladder: Ladder,
  { season, isBrief }: { season: SeasonId | undefined; isBrief: boolean },
): Promise<LadderResults> {
  const { store, arena } = deps;
  const { rivalries_shown, results_brief } = deps.limits();
  const [all, figures] = await Promise.all([
    season === undefined
      ? deps.standings(ladder.id).then((places) => boardRows(places, arena.onlineIds()))
      : seasonRows(deps, season),
    store.figures.ladder({ ladderId: ladder.id, season, rivalries: rivalries_shown }),
  ]);
  const rows = isBrief ? all.slice(0, results_brief) : all;
  const rivals = figures.rivalries.flatMap(({ botIds }) => botIds.map((botId) => ({ botId })));
  const byId = await botsIn(store, [...rows, ...rivals]);
  return {
    ladder,
    events: await earnedIn(deps, ladder),
    standings: rows.map(({ botId, row }) => ({ ...row, avatar: byId.get(botId)?.avatar ?? null })),
    totals: totalsOf(figures),
    maps: figures.maps,
    highlights: await highlightsOf(deps, figures),
    rivalries: rivalriesOf(figures, mentions(byId)),
    archive: await archiveOf(store, ladder),
  };
}

/** Null until it is made, soon after the final standings. */
async function archiveOf(
  { ladders }: Pick<ApiDeps["store"], "ladders">,
  { id, phase }: Ladder,
): Promise<LadderResults["archive"]> {
  const archive = phase === "closed" ? (await ladders.byId(id))?.archive : null;
  return archive ? { url: `/api/ladders/${id}/archive`, bytes: archive.bytes } : null;
}

/** How often each achievement of its events was earned and not revoked. */
async function earnedIn(
  { store, events }: ResultDeps,
  { id: ladderId }: Ladder,
): Promise<LadderResults["events"]> {
  const listed = publicEvents(events, ladderId);
  const tallies = await store.awards.tallies(listed.map(({ id }) => id));
  return listed.map(({ id: eventId, name, achievements }) => ({
    id: eventId,
    name,
    achievements: achievements.map((achievement) => {
      const { earned = 0, revoked = 0 } =
        tallies.find((one) => one.eventId === eventId && one.achievementId === achievement.id) ??
        {};
      return { id: achievement.id, name: achievement.name, earned: earned - revoked };
    }),
  }));
}

function totalsOf({ totals, maps, players, house }: LadderFigures): LadderResults["totals"] {
  return {
    ...totals,
    rated: maps.reduce((all, { games }) => all + games, 0),
    player_bots: players.bots,
    contestants: players.bots + house.bots,
    player_wins: players.wins,
    house_wins: house.wins,
  };
}
